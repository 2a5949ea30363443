package dev.leasehold.benchmarks.job;

import dev.leasehold.benchmarks.process.Message;
import dev.leasehold.benchmarks.process.SharedWitness;
import dev.leasehold.benchmarks.subject.Subject;

/** A part that one JVM plays, in two steps, so that all JVMs are ready before any begins. Its threads end with it. */
public interface Job extends AutoCloseable {

    /** Gets everything ready; returns when it is. */
    void prepare() throws InterruptedException;

    /** One step on the way, for a job that has several before it is done. */
    default void step() throws InterruptedException {
        throw new IllegalStateException("this job has no steps");
    }

    /**
     * Does it.
     *
     * @param order what is known only now, such as when to begin
     * @return what came of it
     * @throws dev.leasehold.benchmarks.IncorrectException if the subject did not lock as it should
     */
    Message run(Message order) throws InterruptedException;

    /** Ends what is still running. */
    @Override
    void close();

    /**
     * The job that a line asks for.
     *
     * @throws IllegalArgumentException if it is not known
     */
    static Job of(Message order, Subject subject, SharedWitness witness) {
        return switch (order.text("job")) {
            case ContendJob.NAME -> new ContendJob(order, subject, witness);
            case HoldJob.NAME -> new HoldJob(order, subject, witness);
            case WaitJob.NAME -> new WaitJob(order, subject, witness);
            case OutageJob.NAME -> new OutageJob(order, subject);
            case IntrudeJob.NAME -> new IntrudeJob(order, subject);
            case RoundTripJob.NAME -> new RoundTripJob(order, subject);
            default -> throw new IllegalArgumentException("there is no job " + order.text("job"));
        };
    }
}
