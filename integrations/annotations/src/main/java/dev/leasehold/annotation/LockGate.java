package dev.leasehold.annotation;

import dev.leasehold.spi.TimeSource;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Admits calls of methods with {@link Lock}; a bean that the adapter of the framework defines. An application that ends
 * shuts the gate, so that methods that hold locks can finish while no new ones begin. Thread-safe.
 */
public final class LockGate {

    private final ReentrantLock guard = new ReentrantLock();
    private final Condition left = guard.newCondition();
    private int inside;
    private boolean shut;

    /** Creates a gate that is open. */
    public LockGate() {}

    /**
     * Shuts the gate: calls that would acquire a lock throw {@link IllegalStateException} from now on. Running calls,
     * and calls that join them, continue. Idempotent.
     */
    public void shut() {
        set(true);
    }

    /** Opens the gate again, for example when a stopped context is started again. Idempotent. */
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
     * Returns whether calls are refused.
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
     * Waits until no method waits for a lock or holds one. After {@link #shut} this state is final.
     *
     * @param limit the longest time to wait; zero checks once
     * @return whether no method waits for a lock or holds one
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public boolean awaitEmpty(Duration limit) throws InterruptedException {
        long nanos = Objects.requireNonNull(limit, "limit").toNanos();
        guard.lockInterruptibly();
        try {
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

    /**
     * {@linkplain #shut Shuts} the gate, and waits until no method runs under a lock and no lease is held.
     *
     * @param held what the client holds
     * @param limit the longest time to wait; zero checks once
     * @return false if the time is over before
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public boolean drain(HeldLeases held, Duration limit) throws InterruptedException {
        Objects.requireNonNull(limit, "limit");
        shut();
        TimeSource time = TimeSource.system();
        long from = time.nanoTime();
        return awaitEmpty(limit)
                && held.awaitNone(Duration.ofNanos(Math.max(0, limit.toNanos() - (time.nanoTime() - from))));
    }

    /** Admits a call, which must call {@link #leave} at its end. */
    void pass(LockedMethod method) {
        guard.lock();
        try {
            if (shut) {
                throw new IllegalStateException(
                        method.shown()
                                + " is refused: the application is shutting down and acquires no more locks. Call another instance");
            }
            inside++;
        } finally {
            guard.unlock();
        }
    }

    /** Records the end of a call that got no lock, or has released it. */
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
