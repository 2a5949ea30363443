package dev.leasehold.springintegration;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.LockOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/** A lock of a client as Spring Integration sees it. Whose it is, and how often, is counted in the client. */
final class LockOfThread implements org.springframework.integration.support.locks.DistributedLock {

    /** Added to a lease that lasts long enough, so that Redis is asked whether it is there. */
    private static final Duration LEAST_EXTENSION = Duration.ofMillis(1);

    private final DistributedLock lock;
    private final LockOptions options;

    LockOfThread(DistributedLock lock, LockOptions options) {
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
        reach(ttl);
    }

    @Override
    public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
        boolean locked = leasedFor(ttl).tryLock(nanos(waitTime), TimeUnit.NANOSECONDS);
        if (locked) {
            reach(ttl);
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
        Lease lease = lease();
        try {
            extendTo(lease, ttl);
        } catch (LeaseLostException e) {
            throw new IllegalStateException("the lease of " + lock + " was lost and cannot be renewed", e);
        }
    }

    /** Who holds the lock already keeps its lease, which may be too short for the time that is asked for now. */
    private void reach(Duration ttl) {
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
        Duration lacking = ttl.minus(lease.remaining());
        if (!lease.extend(lacking.compareTo(LEAST_EXTENSION) < 0 ? LEAST_EXTENSION : lacking)) {
            lease.ensureHeld();
        }
    }

    private DistributedLock leasedFor(Duration ttl) {
        return lock.with(options.toBuilder().leaseTime(ttl).build());
    }

    /** More than a long can count is for ever. */
    private static long nanos(Duration time) {
        try {
            return time.toNanos();
        } catch (ArithmeticException e) {
            return time.isNegative() ? 0 : Long.MAX_VALUE;
        }
    }

    @Override
    public String toString() {
        return lock.toString();
    }
}
