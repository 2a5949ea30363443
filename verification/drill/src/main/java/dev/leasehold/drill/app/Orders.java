package dev.leasehold.drill.app;

import dev.leasehold.annotation.Lock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Requests under locks: one waits for its lock, the others are refused if another request holds it; the last takes long. */
@RestController
class Orders {

    private static final long PAYING_MILLIS = 5;
    private static final long AUDITING_SECONDS = 120;
    /** What is left of an audit when the application begins to stop. */
    private static final long LAST_PAGES_MILLIS = 500;
    /** Longer than the time from one request to the next, so that some find the lock held. */
    private static final long REPORTING_MILLIS = 120;

    private final CountDownLatch stopping = new CountDownLatch(1);
    private volatile boolean auditing;

    @Lock(name = "order:#{#id}", waitTime = "4s")
    @GetMapping("/orders/{id}")
    public String pay(@PathVariable("id") String id) {
        work(PAYING_MILLIS);
        return "paid";
    }

    @Lock(name = "report")
    @GetMapping("/report")
    public String report() {
        work(REPORTING_MILLIS);
        return "written";
    }

    /** Ends after the application has begun to stop, so that this always meets it. */
    @Lock(name = "audit")
    @GetMapping("/audit")
    public String audit() throws InterruptedException {
        auditing = true;
        try {
            boolean stops = stopping.await(AUDITING_SECONDS, TimeUnit.SECONDS);
            work(LAST_PAGES_MILLIS);
            return stops ? "audited" : "given up";
        } finally {
            auditing = false;
        }
    }

    @EventListener(ContextClosedEvent.class)
    void stop() {
        stopping.countDown();
    }

    /** Returns whether an audit runs; not final, because a proxy stands before this object. */
    boolean isAuditing() {
        return auditing;
    }

    /** Takes a while without a processor, as a call of a database does. */
    private static void work(long millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }
}
