package dev.leasehold.benchmarks.job;

import dev.leasehold.benchmarks.process.Message;
import dev.leasehold.benchmarks.subject.Grip;
import dev.leasehold.benchmarks.subject.Subject;

/**
 * One thread that acquires and releases one lock until the time is over. Reports the number of pairs. A pair may take less
 * than a microsecond, so this job does nothing else: it has no witness, and no other thread uses its lock.
 */
public final class PairJob implements Job {

    /** The name in orders. */
    public static final String NAME = "pair";

    private final Grip grip;

    PairJob(Message order, Subject subject) {
        grip = subject.grip(order.text("lock"));
    }

    @Override
    public void prepare() {}

    @Override
    public Message run(Message order) throws InterruptedException {
        Threads.until(order.number("begin"));
        long end = order.number("end");
        long cpu = Usage.cpu();
        long pairs = 0;
        while (System.nanoTime() - end < 0) {
            grip.acquire();
            grip.release();
            pairs++;
        }
        long finished = System.nanoTime();
        return Message.of("done")
                .with("pairs", pairs)
                .with("finished", finished)
                .with("cpu", Usage.cpu() - cpu);
    }

    @Override
    public void close() {}
}
