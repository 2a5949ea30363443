package dev.leasehold.benchmarks.subject;

import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;

/** A grip on any {@link Lock} of the JDK that can report whether this thread holds it. */
record JdkGrip(Lock lock, BooleanSupplier own) implements Grip {

    @Override
    public void acquire() throws InterruptedException {
        // Not lock(): a round that lost its waiters must be able to end.
        lock.lockInterruptibly();
    }

    @Override
    public boolean tryAcquire() {
        return lock.tryLock();
    }

    @Override
    public boolean held() {
        return own.getAsBoolean();
    }

    @Override
    public void release() {
        lock.unlock();
    }
}
