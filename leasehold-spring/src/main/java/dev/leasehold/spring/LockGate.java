package dev.leasehold.spring;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Where calls of methods with {@link Lock} come in; a bean that {@link EnableLocks} makes. An application that ends shuts it, so
 * that what holds locks can come to its end while nothing new begins. Safe for use by any thread.
 */
public final class LockGate {

    private final AtomicBoolean shut = new AtomicBoolean();

    LockGate() {}

    /**
     * From now on calls that would take a lock are refused with {@link IllegalStateException}. Those that run, and those that
     * join a call that runs, go on. Idempotent.
     */
    public void shut() {
        shut.set(true);
    }

    /** Lets calls in again, as when a context that was stopped is started again. Idempotent. */
    public void open() {
        shut.set(false);
    }

    /**
     * Whether calls are refused.
     *
     * @return true after {@link #shut}
     */
    public boolean isShut() {
        return shut.get();
    }

    void pass(LockedMethod method) {
        if (isShut()) {
            throw new IllegalStateException(method.shown()
                    + " is refused: the application is shutting down and takes no more locks. Call another instance");
        }
    }
}
