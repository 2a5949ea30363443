package dev.leasehold.spi;

/** Runs short tasks later. The tasks Leasehold schedules never block and never call a transport. */
public interface Timer extends AutoCloseable {

    /**
     * Schedules a task.
     *
     * @param task what to run, once, on the timer's own thread
     * @param delayNanos after how many nanoseconds, at the earliest; below zero means at once
     * @return a handle to cancel it
     */
    Timeout schedule(Runnable task, long delayNanos);

    /** Ends the timer; tasks that are due later never run. */
    @Override
    void close();

    /** A scheduled task. */
    interface Timeout {

        /** Forgets the task unless it has begun. */
        void cancel();
    }
}
