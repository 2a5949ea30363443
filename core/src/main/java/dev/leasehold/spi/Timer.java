package dev.leasehold.spi;

/** Runs short tasks after a delay. Leasehold's tasks never block and never call a transport. */
public interface Timer extends AutoCloseable {

    /**
     * Schedules a task.
     *
     * @param task the task, run once on the timer's own thread
     * @param delayNanos the shortest delay in nanoseconds; below zero means immediately
     * @return a handle to cancel it
     */
    Timeout schedule(Runnable task, long delayNanos);

    /** Stops the timer; tasks that are due later never run. */
    @Override
    void close();

    /** A scheduled task. */
    interface Timeout {

        /** Cancels the task unless it has begun. */
        void cancel();
    }
}
