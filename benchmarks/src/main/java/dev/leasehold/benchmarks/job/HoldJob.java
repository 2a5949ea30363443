package dev.leasehold.benchmarks.job;

import dev.leasehold.benchmarks.process.Message;
import dev.leasehold.benchmarks.process.SharedWitness;
import dev.leasehold.benchmarks.subject.Grip;
import dev.leasehold.benchmarks.subject.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Acquires many locks with several threads and holds them until it is ordered to release them. Reports when the
 * first release was sent, and how many locks were no longer held by then.
 */
public final class HoldJob implements Job {

    /** The name in orders. */
    public static final String NAME = "hold";

    private static final long PATIENCE_NANOS = 120_000_000_000L;

    private final Subject subject;
    private final SharedWitness witness;
    private final String lock;
    private final int locks;
    private final int size;
    private final boolean verified;
    private final boolean witnessed;
    private final Threads threads = new Threads();
    private final CountDownLatch ready;
    private final CountDownLatch go = new CountDownLatch(1);
    private final AtomicLong first = new AtomicLong(Long.MAX_VALUE);
    private final AtomicLong held = new AtomicLong();
    private final AtomicLong released = new AtomicLong();

    HoldJob(Message order, Subject subject, SharedWitness witness) {
        this.subject = subject;
        this.witness = witness;
        lock = order.text("lock");
        locks = order.count("locks");
        size = Math.min(order.count("threads"), locks);
        verified = order.values().containsKey("verify");
        witnessed = order.values().containsKey("witness");
        ready = new CountDownLatch(size);
    }

    @Override
    public void prepare() throws InterruptedException {
        for (int n = 0; n < size; n++) {
            int number = n;
            threads.start("hold-" + n, () -> hold(number));
        }
        ready.await();
        if (held.get() < locks) {
            throw new IllegalStateException(
                    "only " + held.get() + " of " + locks + " locks were acquired, and then: " + threads.firstError());
        }
    }

    /**
     * Holds every n-th lock, n being the number of threads: a lock of the JDK is released by the thread that
     * acquired it.
     */
    private void hold(int number) throws InterruptedException {
        List<Grip> grips = new ArrayList<>();
        try {
            for (int n = number; n < locks; n += size) {
                Grip grip = subject.grip(lock + n);
                grip.acquire();
                if (witnessed) {
                    witness.enter(n, number);
                }
                grips.add(grip);
                held.incrementAndGet();
            }
        } catch (RuntimeException e) {
            // Before the thread that waits for all of them asks why.
            threads.failed(e);
            return;
        } finally {
            ready.countDown();
        }
        go.await();
        first.accumulateAndGet(System.nanoTime(), Math::min);
        for (int n = 0; n < grips.size(); n++) {
            release(grips.get(n), number + n * size, number);
        }
    }

    private void release(Grip grip, int which, int number) {
        try {
            if (witnessed) {
                witness.leave(which, number);
            }
            boolean kept = !verified || grip.held();
            grip.release();
            released.addAndGet(kept ? 1 : 0);
        } catch (RuntimeException e) {
            threads.failed(e);
        }
    }

    @Override
    public Message run(Message order) throws InterruptedException {
        go.countDown();
        threads.awaitEnd(System.nanoTime() + PATIENCE_NANOS);
        threads.requireCorrect();
        return Message.of("done")
                .with("first", first.get())
                .with("lost", locks - released.get())
                .with("error", threads.firstError());
    }

    @Override
    public void close() {
        threads.close();
    }
}
