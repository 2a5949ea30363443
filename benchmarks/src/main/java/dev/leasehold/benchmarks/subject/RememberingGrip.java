package dev.leasehold.benchmarks.subject;

import java.util.concurrent.locks.Lock;

/** A grip on a {@link Lock} of the JDK that cannot report its holder: the grip remembers. */
final class RememberingGrip implements Grip {

    private final Lock lock;
    private boolean held;

    RememberingGrip(Lock lock) {
        this.lock = lock;
    }

    @Override
    public void acquire() throws InterruptedException {
        lock.lockInterruptibly();
        held = true;
    }

    @Override
    public boolean tryAcquire() {
        held = lock.tryLock();
        return held;
    }

    @Override
    public boolean held() {
        return held;
    }

    @Override
    public void release() {
        held = false;
        lock.unlock();
    }
}
