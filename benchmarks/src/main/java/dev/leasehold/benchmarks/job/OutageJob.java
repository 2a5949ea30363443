package dev.leasehold.benchmarks.job;

import dev.leasehold.benchmarks.process.Message;
import dev.leasehold.benchmarks.subject.Grip;
import dev.leasehold.benchmarks.subject.Subject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Acquires some locks with several threads, and holds them until it is ordered to release them. Reports the locks
 * that the subject meanwhile reported as lost, and when.
 */
public final class OutageJob implements Job {

    /** The name in orders. */
    public static final String NAME = "outage";

    private static final long PATIENCE_NANOS = 120_000_000_000L;

    private final Subject subject;
    private final String lock;
    private final int size;
    private final AtomicLongArray reported;
    private final Threads threads = new Threads();
    private final CountDownLatch ready;
    private final CountDownLatch go = new CountDownLatch(1);
    private final AtomicInteger acquired = new AtomicInteger();

    OutageJob(Message order, Subject subject) {
        this.subject = subject;
        lock = order.text("lock");
        reported = new AtomicLongArray(order.count("locks"));
        size = Math.min(order.count("threads"), reported.length());
        ready = new CountDownLatch(size);
    }

    @Override
    public void prepare() throws InterruptedException {
        for (int n = 0; n < size; n++) {
            int number = n;
            threads.start("outage-" + n, () -> hold(number));
        }
        ready.await();
        if (acquired.get() < reported.length()) {
            throw new IllegalStateException("only " + acquired.get() + " of " + reported.length()
                    + " locks were acquired, and then: " + threads.firstError());
        }
    }

    /**
     * Holds every n-th lock, n being the number of threads: a lock of the JDK is released by the thread that
     * acquired it.
     */
    private void hold(int number) throws InterruptedException {
        List<Grip> grips = new ArrayList<>();
        try {
            for (int n = number; n < reported.length(); n += size) {
                int which = n;
                Grip grip = subject.grip(lock + n);
                grip.acquire();
                grip.onLost(() -> reported.compareAndSet(which, 0, System.nanoTime()));
                grips.add(grip);
                acquired.incrementAndGet();
            }
        } finally {
            ready.countDown();
        }
        go.await();
        for (int n = 0; n < grips.size(); n++) {
            release(grips.get(n), number + n * size);
        }
    }

    /** Releases a lock; one that was reported as lost cannot be released any more. */
    private void release(Grip grip, int which) {
        try {
            grip.release();
        } catch (RuntimeException e) {
            if (reported.get(which) == 0) {
                threads.failed(e);
            }
        }
    }

    @Override
    public Message run(Message order) throws InterruptedException {
        go.countDown();
        threads.awaitEnd(System.nanoTime() + PATIENCE_NANOS);
        threads.requireCorrect();
        long[] moments = new long[reported.length()];
        for (int n = 0; n < moments.length; n++) {
            moments[n] = reported.get(n);
        }
        return Message.of("done").with("reported", Arrays.stream(moments)).with("error", threads.firstError());
    }

    @Override
    public void close() {
        threads.close();
    }
}
