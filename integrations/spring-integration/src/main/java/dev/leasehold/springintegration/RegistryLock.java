package dev.leasehold.springintegration;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.LockOptions;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/** Adapts a lock of a client to Spring Integration. The client counts the holds of each thread. */
final class RegistryLock implements org.springframework.integration.support.locks.DistributedLock {

    /** The extension of a lease that lasts long enough. It makes Redis check that the hold still exists. */
    private static final Duration LEAST_EXTENSION = Duration.ofMillis(1);

    private final LeaseholdLockRegistry registry;
    private final DistributedLock lock;
    private final LockOptions options;

    RegistryLock(LeaseholdLockRegistry registry, DistributedLock lock, LockOptions options) {
        this.registry = registry;
        this.lock = lock.with(options);
        this.options = options;
    }

    @Override
    public void lock() {
        lock.lock();
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        lock.lockInterruptibly();
    }

    @Override
    public boolean tryLock() {
        return lock.tryLock();
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return lock.tryLock(time, unit);
    }

    @Override
    public void lock(Duration ttl) {
        leasedFor(ttl).lock();
        extendIfShorterThan(ttl);
    }

    @Override
    public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
        long nanos = nanos(Objects.requireNonNull(waitTime, "waitTime"));
        boolean locked = leasedFor(ttl).tryLock(nanos, TimeUnit.NANOSECONDS);
        if (locked) {
            extendIfShorterThan(ttl);
        }
        return locked;
    }

    @Override
    public void unlock() {
        lock.unlock();
    }

    @Override
    public Condition newCondition() {
        return lock.newCondition();
    }

    Lease lease() {
        return lock.leaseOfCurrentThread()
                .orElseThrow(() -> new IllegalStateException(
                        "this thread does not hold " + lock + ". Lock it in the same thread first"));
    }

    void renew(Duration ttl) {
        Objects.requireNonNull(ttl, "ttl");
        Lease lease = lease();
        try {
            extendTo(lease, ttl);
        } catch (LeaseLostException e) {
            throw new IllegalStateException("the lease of " + lock + " was lost and cannot be renewed", e);
        }
    }

    /**
     * Extends the lease if needed: a reentrant call keeps the lease, which may be shorter than the time of this call.
     */
    private void extendIfShorterThan(Duration ttl) {
        if (lock.holdCount() == 1) {
            return;
        }
        Lease lease = lease();
        if (lease.remaining().compareTo(ttl) >= 0) {
            return;
        }
        try {
            extendTo(lease, ttl);
        } catch (RuntimeException e) {
            try {
                lock.unlock();
            } catch (RuntimeException second) {
                e.addSuppressed(second);
            }
            throw e;
        }
    }

    private static void extendTo(Lease lease, Duration ttl) {
        Duration missing = ttl.minus(lease.remaining());
        if (!lease.extend(missing.compareTo(LEAST_EXTENSION) < 0 ? LEAST_EXTENSION : missing)) {
            lease.ensureHeld();
        }
    }

    private DistributedLock leasedFor(Duration ttl) {
        return lock.with(options.toBuilder().leaseTime(ttl).build());
    }

    /** Converts a time to nanoseconds; a time beyond the range of long is unlimited. */
    private static long nanos(Duration time) {
        try {
            return time.toNanos();
        } catch (ArithmeticException e) {
            return time.isNegative() ? 0 : Long.MAX_VALUE;
        }
    }

    /** Two objects of one registry and one key are the same lock. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RegistryLock that
                && registry == that.registry
                && lock.name().equals(that.lock.name());
    }

    @Override
    public int hashCode() {
        return lock.name().hashCode();
    }

    @Override
    public String toString() {
        return lock.toString();
    }
}
