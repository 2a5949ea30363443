package dev.leasehold.benchmarks.subject;

import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;

/** A grip on anything that is a {@link Lock} of the JDK and can say whether this thread holds it. */
record JdkGrip(Lock lock, BooleanSupplier mine) implements Grip {

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
        return mine.getAsBoolean();
    }

    @Override
    public void release() {
        lock.unlock();
    }
}
