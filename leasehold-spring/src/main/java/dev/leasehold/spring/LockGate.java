package dev.leasehold.spring;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Where calls of methods with {@link Lock} come in; a bean that {@link EnableLocks} makes. An application that ends shuts it, so
 * that what holds locks can come to its end while nothing new begins. Safe for use by any thread.
 */
public final class LockGate {

    private final ReentrantLock guard = new ReentrantLock();
    private final Condition left = guard.newCondition();
    private int inside;
    private boolean shut;

    LockGate() {}

    /**
     * From now on calls that would take a lock are refused with {@link IllegalStateException}. Those that run, and those that
     * join a call that runs, go on. Idempotent.
     */
    public void shut() {
        set(true);
    }

    /** Lets calls in again, as when a context that was stopped is started again. Idempotent. */
    public void open() {
        set(false);
    }

    private void set(boolean to) {
        guard.lock();
        try {
            shut = to;
        } finally {
            guard.unlock();
        }
    }

    /**
     * Whether calls are refused.
     *
     * @return true after {@link #shut}
     */
    public boolean isShut() {
        guard.lock();
        try {
            return shut;
        } finally {
            guard.unlock();
        }
    }

    /**
     * Waits until no method waits for a lock or holds one. After {@link #shut} that stays so.
     *
     * @param limit how long to wait at most; zero looks once
     * @return whether it came to that
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public boolean awaitEmpty(Duration limit) throws InterruptedException {
        guard.lockInterruptibly();
        try {
            long nanos = limit.toNanos();
            while (inside > 0) {
                if (nanos <= 0) {
                    return false;
                }
                nanos = left.awaitNanos(nanos);
            }
            return true;
        } finally {
            guard.unlock();
        }
    }

    /** Lets a call in; {@link #leave} follows. */
    void pass(LockedMethod method) {
        guard.lock();
        try {
            if (shut) {
                throw new IllegalStateException(
                        method.shown()
                                + " is refused: the application is shutting down and takes no more locks. Call another instance");
            }
            inside++;
        } finally {
            guard.unlock();
        }
    }

    /** A call got no lock, or has released it. */
    void leave() {
        guard.lock();
        try {
            inside--;
            left.signalAll();
        } finally {
            guard.unlock();
        }
    }
}
