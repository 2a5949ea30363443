package dev.leasehold.benchmarks.job;

import dev.leasehold.benchmarks.process.Message;
import dev.leasehold.benchmarks.process.SharedWitness;
import dev.leasehold.benchmarks.subject.Grip;
import dev.leasehold.benchmarks.subject.Subject;

/**
 * Each run acquires one lock, which another process used last and has released, and releases it. Reports how long the acquisition
 * took.
 */
public final class TakeJob implements Job {

    /** The name in orders. */
    public static final String NAME = "take";

    private final Grip grip;
    private final SharedWitness witness;
    private final int place;

    TakeJob(Message order, Subject subject, SharedWitness witness) {
        grip = subject.grip(order.text("lock"));
        this.witness = witness;
        place = order.count("place");
    }

    @Override
    public void prepare() {}

    @Override
    public Message run(Message order) throws InterruptedException {
        long begun = System.nanoTime();
        grip.acquire();
        long nanos = System.nanoTime() - begun;
        witness.enter(place, 0);
        witness.leave(place, 0);
        grip.release();
        return Message.of("done").with("nanos", nanos);
    }

    @Override
    public void close() {}
}
