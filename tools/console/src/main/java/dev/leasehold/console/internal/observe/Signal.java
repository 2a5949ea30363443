package dev.leasehold.console.internal.observe;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A version that rises with each change, and wakes those who wait for the next one. */
final class Signal {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition raised = lock.newCondition();
    private long version;

    long version() {
        lock.lock();
        try {
            return version;
        } finally {
            lock.unlock();
        }
    }

    void raise() {
        lock.lock();
        try {
            version++;
            raised.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the version differs from the one seen; returns whether it does. */
    boolean await(long seen, Duration limit) throws InterruptedException {
        long nanos = limit.toNanos();
        lock.lock();
        try {
            while (version == seen && nanos > 0) {
                nanos = raised.awaitNanos(nanos);
            }
            return version != seen;
        } finally {
            lock.unlock();
        }
    }
}
