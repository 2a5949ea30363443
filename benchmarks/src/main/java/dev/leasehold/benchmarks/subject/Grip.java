package dev.leasehold.benchmarks.subject;

/** One thread's access to one lock. Used only by the thread that acquires, until it has released. */
public interface Grip {

    /** Acquires, and waits as long as necessary. */
    void acquire() throws InterruptedException;

    /** Acquires if the lock is free. */
    boolean tryAcquire();

    /** Returns whether the subject reports that this grip holds the lock now. */
    boolean held();

    /** Runs the listener once when the subject reports the loss of the lock; never if it has no such report. */
    default void onLost(Runnable reported) {}

    /** Releases the lock. */
    void release();
}
