package dev.leasehold.benchmarks.job;

import dev.leasehold.benchmarks.process.Message;
import dev.leasehold.benchmarks.process.SharedWitness;
import dev.leasehold.benchmarks.subject.Subject;

/**
 * One JVM's part in a situation, in two steps, so that all JVMs are ready before any begins. Its threads end with
 * it.
 */
public interface Job extends AutoCloseable {

    /** Prepares everything; returns when it is ready. */
    void prepare() throws InterruptedException;

    /** Runs one intermediate step of a job that has several. */
    default void step() throws InterruptedException {
        throw new IllegalStateException("this job has no steps");
    }

    /**
     * Runs the job.
     *
     * @param order values known only now, such as the start time
     * @return the results
     * @throws dev.leasehold.benchmarks.IncorrectException if the subject violated mutual exclusion
     */
    Message run(Message order) throws InterruptedException;

    /** Ends the threads that still run. */
    @Override
    void close();

    /**
     * Returns the job that an order names.
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
            case PairJob.NAME -> new PairJob(order, subject);
            case TakeJob.NAME -> new TakeJob(order, subject, witness);
            case DeadlockJob.NAME -> new DeadlockJob(order, subject);
            case RoundTripJob.NAME -> new RoundTripJob(order, subject);
            default -> throw new IllegalArgumentException("there is no job " + order.text("job"));
        };
    }
}
