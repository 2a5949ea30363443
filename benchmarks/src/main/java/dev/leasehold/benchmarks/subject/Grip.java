package dev.leasehold.benchmarks.subject;

/** What one thread does with one lock. Used by the thread that acquires, and by no other until it has released. */
public interface Grip {

    /** Acquires, and waits as long as it takes. */
    void acquire() throws InterruptedException;

    /** Acquires if the lock is free. */
    boolean tryAcquire();

    /** Whether the subject says that this grip holds the lock now. */
    boolean held();

    /** Has this run once when the subject says of itself that what was acquired is lost; never, if it does not. */
    default void onLost(Runnable told) {}

    /** Releases what was acquired. */
    void release();
}
