package dev.leasehold.benchmarks.subject;

import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;

/** A grip on anything that is a {@link Lock} of the JDK. */
record JdkGrip(Lock lock, BooleanSupplier mine) implements Grip {

    @Override
    public void acquire() {
        lock.lock();
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
