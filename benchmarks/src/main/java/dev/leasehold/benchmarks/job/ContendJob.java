package dev.leasehold.benchmarks.job;

import dev.leasehold.benchmarks.IncorrectException;
import dev.leasehold.benchmarks.process.Message;
import dev.leasehold.benchmarks.process.SharedWitness;
import dev.leasehold.benchmarks.process.SharedWitness.Entry;
import dev.leasehold.benchmarks.subject.Grip;
import dev.leasehold.benchmarks.subject.Subject;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

/**
 * Threads that acquire one lock repeatedly until the time is over. Reports the number of acquisitions and the
 * longest wait of a thread. Each time the lock passed from another process, it also reports the time from the call
 * of release there to the acquisition here. If some turns only read, they are spread evenly among the others.
 */
public final class ContendJob implements Job {

    /** The name in orders. */
    public static final String NAME = "contend";

    private static final int MOST_GAPS = 20_000;
    private static final int PERCENT = 100;
    private static final int STRIDE = 37;
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    private final Subject subject;
    private final SharedWitness witness;
    private final String lock;
    private final int size;
    /** The number of the lock, for the witness. */
    private final int place;

    private final long workNanos;
    /** The number of writing turns among a hundred. */
    private final int writes;

    private final Threads threads = new Threads();
    private final CountDownLatch ready;
    private final CountDownLatch go = new CountDownLatch(1);
    private final AtomicLong pairs = new AtomicLong();
    private final AtomicLong longest = new AtomicLong();
    private final AtomicLong handedOver = new AtomicLong();
    private final LongStream.Builder gaps = LongStream.builder();
    private final LongStream.Builder releases = LongStream.builder();
    private int kept;
    private final long pid = ProcessHandle.current().pid();
    private volatile long begin;
    private volatile long end;

    ContendJob(Message order, Subject subject, SharedWitness witness) {
        this.subject = subject;
        this.witness = witness;
        lock = order.text("lock");
        size = order.count("threads");
        place = order.count("place");
        workNanos = order.number("work");
        writes = order.count("writes");
        ready = new CountDownLatch(size);
    }

    @Override
    public void prepare() throws InterruptedException {
        for (int n = 0; n < size; n++) {
            int number = n;
            threads.start("contend-" + n, () -> contend(number));
        }
        ready.await();
    }

    private void contend(int number) throws InterruptedException {
        Grip grip = subject.grip(lock);
        Grip reader = writes < PERCENT ? subject.reader(lock) : grip;
        ready.countDown();
        go.await();
        Threads.until(begin);
        long done = 0;
        long most = 0;
        int turn = number;
        try {
            while (System.nanoTime() - end < 0) {
                // Any stride that has no divisor in common with a hundred visits each turn of them once.
                turn = (turn + STRIDE) % PERCENT;
                try {
                    most = Math.max(most, turn < writes ? once(grip, number) : read(reader, number));
                    done++;
                } catch (IncorrectException e) {
                    throw e;
                } catch (RuntimeException e) {
                    // A peer that cannot wait any more, or lost its lock: counted, and tried again.
                    threads.failed(e);
                }
            }
        } finally {
            pairs.addAndGet(done);
            longest.accumulateAndGet(most, Math::max);
        }
    }

    private long read(Grip reader, int number) throws InterruptedException {
        long before = System.nanoTime();
        reader.acquire();
        long inside = System.nanoTime();
        witness.enterToRead(place, number);
        if (workNanos > 0) {
            Threads.until(inside + workNanos);
        }
        witness.leaveReading(place, number);
        reader.release();
        return inside - before;
    }

    private long once(Grip grip, int number) throws InterruptedException {
        long before = System.nanoTime();
        grip.acquire();
        long inside = System.nanoTime();
        Entry entry = witness.enter(place, number);
        if (entry.leftAt() != 0 && entry.leftBy() != pid) {
            took(inside - entry.leftAt());
        }
        if (workNanos > 0) {
            Threads.until(inside + workNanos);
        }
        witness.leave(place, number);
        if (workNanos == 0) {
            grip.release();
        } else {
            long leaving = System.nanoTime();
            grip.release();
            released(System.nanoTime() - leaving);
        }
        return inside - before;
    }

    /**
     * Records an acquisition. Called only inside the lock, but by threads that the lock may order in a way the JVM
     * does not see.
     */
    private synchronized void took(long gap) {
        if (handedOver.incrementAndGet() <= MOST_GAPS) {
            gaps.add(gap);
        }
    }

    private synchronized void released(long nanos) {
        if (kept++ < MOST_GAPS) {
            releases.add(nanos);
        }
    }

    @Override
    public Message run(Message order) throws InterruptedException {
        begin = order.number("begin");
        end = order.number("end");
        long cpu = Usage.cpu();
        go.countDown();
        boolean ended = threads.awaitEnd(end + PATIENCE_NANOS);
        long finished = System.nanoTime();
        long used = Usage.cpu() - cpu;
        threads.requireCorrect();
        return Message.of("done")
                .with("stuck", ended ? 0 : 1)
                .with("pairs", pairs.get())
                .with("finished", finished)
                .with("cpu", used)
                .with("longest", longest.get())
                .with("handovers", handedOver.get())
                .with("gaps", gaps.build())
                .with("releases", releases.build())
                .with("errors", threads.errors())
                .with("error", threads.firstError());
    }

    @Override
    public void close() {
        threads.close();
    }
}
