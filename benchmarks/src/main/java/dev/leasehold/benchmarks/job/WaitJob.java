package dev.leasehold.benchmarks.job;

import dev.leasehold.benchmarks.process.Message;
import dev.leasehold.benchmarks.process.SharedWitness;
import dev.leasehold.benchmarks.process.SharedWitness.Entry;
import dev.leasehold.benchmarks.subject.Grip;
import dev.leasehold.benchmarks.subject.Subject;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

/**
 * Threads that each wait once for one lock: the same number for each name. They arrive in waves, one with each
 * step. Reports how many acquired it, when the last release was answered, and the order of acquisition.
 */
public final class WaitJob implements Job {

    /** The name in orders. */
    public static final String NAME = "wait";

    private final Subject subject;
    private final SharedWitness witness;
    private final String lock;
    private final int locks;
    private final int waiters;
    private final int waves;
    private final Threads threads = new Threads();
    private final AtomicInteger served = new AtomicInteger();
    private final AtomicLong last = new AtomicLong();
    private final LongStream.Builder order = LongStream.builder();
    private int wave;
    private int started;

    WaitJob(Message order, Subject subject, SharedWitness witness) {
        this.subject = subject;
        this.witness = witness;
        lock = order.text("lock");
        locks = order.count("locks");
        waiters = order.count("waiters");
        waves = order.count("waves");
    }

    @Override
    public void prepare() {}

    /** Starts the next wave: all its threads are about to call acquire when it returns. */
    @Override
    public void step() throws InterruptedException {
        int end = (int) ((long) waiters * (wave + 1) / waves);
        CountDownLatch begun = new CountDownLatch(end - started);
        int number = wave++;
        while (started < end) {
            int waiter = started++;
            threads.start("wait-" + waiter, () -> await(waiter, number, begun));
        }
        begun.await();
    }

    private void await(int number, int itsWave, CountDownLatch begun) throws InterruptedException {
        int which = number % locks;
        Grip grip = subject.grip(lock + which);
        begun.countDown();
        grip.acquire();
        Entry entry = witness.enter(which, number);
        witness.leave(which, number);
        grip.release();
        last.accumulateAndGet(System.nanoTime(), Math::max);
        came(which, entry.number(), itsWave);
        served.incrementAndGet();
    }

    /** Records three numbers for each acquisition: of the lock, of the entry, and of the wave. */
    private synchronized void came(long which, long entry, long itsWave) {
        order.add(which).add(entry).add(itsWave);
    }

    @Override
    public Message run(Message message) throws InterruptedException {
        threads.awaitEnd(message.number("limit"));
        threads.requireCorrect();
        LongStream came;
        synchronized (this) {
            int count = served.get();
            came = count == waiters ? order.build() : LongStream.empty();
        }
        return Message.of("done")
                .with("served", served.get())
                .with("last", last.get())
                .with("order", came)
                .with("errors", threads.errors())
                .with("error", threads.firstError());
    }

    @Override
    public void close() {
        threads.close();
    }
}
