package dev.leasehold.drill.app;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.LockUnavailableException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * A lease that the instance holds for eight lease times, and the client renews; then, or after a loss, it is acquired again. After ten
 * lease times the client would log a warning.
 */
@Component
class Shift {

    private static final Duration WAIT = Duration.ofSeconds(5);
    private static final long PAUSE_MILLIS = 200;
    private static final int LEASES = 8;

    private final DistributedLock lock;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();
    private final Thread thread = new Thread(this::run, "shift");
    private final long longestMillis;
    private volatile boolean held;

    Shift(
            Leasehold leasehold,
            @Value("${drill.instance}") String instance,
            @Value("${leasehold.lock.lease-time}") Duration lease) {
        this.longestMillis = LEASES * lease.toMillis();
        this.lock = leasehold.lock("shift:" + instance);
    }

    @EventListener(ApplicationReadyEvent.class)
    void start() {
        thread.start();
    }

    /** Ends before Leasehold waits for holders of locks. */
    @EventListener(ContextClosedEvent.class)
    void stop() throws InterruptedException {
        stopping.countDown();
        stopped.complete(null);
        thread.join(WAIT.toMillis());
    }

    boolean isHeld() {
        return held;
    }

    private void run() {
        try {
            do {
                hold();
            } while (!stopping.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void hold() throws InterruptedException {
        try (Lease lease = lock.acquire(WAIT)) {
            CompletableFuture<Void> lost = new CompletableFuture<>();
            lease.onLost(event -> lost.complete(null));
            held = true;
            CompletableFuture.anyOf(lost, stopped)
                    .completeOnTimeout(null, longestMillis, TimeUnit.MILLISECONDS)
                    .join();
        } catch (LockNotAcquiredException | LockUnavailableException | LeaseLostException e) {
            // The client has counted it; the next try follows.
        } finally {
            held = false;
        }
    }
}
