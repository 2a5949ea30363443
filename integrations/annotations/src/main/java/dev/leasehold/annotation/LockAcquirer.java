package dev.leasehold.annotation;

import dev.leasehold.Acquirable;
import dev.leasehold.DistributedLock;
import dev.leasehold.DistributedSemaphore;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.MultiLock;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Acquires the locks of annotated methods. */
final class LockAcquirer {

    private final CallEnvironment environment;

    LockAcquirer(CallEnvironment environment) {
        this.environment = environment;
    }

    /**
     * Acquires the locks of a call, and blocks while it waits.
     *
     * @throws LockNotAcquiredException if others held one of them for the whole wait time
     * @throws InterruptedException if interrupted and the method declares it
     */
    Hold acquire(LockedMethod method, RequestedLocks wanted) throws InterruptedException {
        gate().pass(method);
        Hold hold = null;
        try {
            hold = hold(method, wanted, acquireLease(method, wanted));
            return hold;
        } finally {
            if (hold == null) {
                gate().leave();
            }
        }
    }

    private Lease acquireLease(LockedMethod method, RequestedLocks wanted) throws InterruptedException {
        Acquirable<? extends Lease> lock = lock(method, wanted);
        Duration waitTime = method.waitTime();
        try {
            return waitTime == null ? lock.acquire() : lock.acquire(waitTime);
        } catch (InterruptedException e) {
            if (method.declaresInterrupt()) {
                throw e;
            }
            Thread.currentThread().interrupt();
            CancellationException cancelled = new CancellationException(method.shown()
                    + " was interrupted while it waited for " + wanted.shown() + ", and did not acquire it");
            cancelled.initCause(e);
            throw cancelled;
        }
    }

    /**
     * Starts to acquire locks. It throws, or the stage fails with, the same exceptions as {@link #acquire}.
     *
     * @throws IllegalStateException if the thread has a transaction open, which the lock would not outlive
     */
    CompletionStage<? extends Lease> acquireAsync(LockedMethod method, RequestedLocks wanted) {
        // A reactive result has no release after the transaction, so it is refused or has none to outlive.
        boolean unused = environment.transactions().outlive(method);
        gate().pass(method);
        boolean started = false;
        try {
            Acquirable<? extends Lease> lock = lock(method, wanted);
            Duration waitTime = method.waitTime();
            CompletionStage<? extends Lease> stage =
                    waitTime == null ? lock.acquireAsync() : lock.acquireAsync(waitTime);
            started = true;
            return stage;
        } finally {
            if (!started) {
                gate().leave();
            }
        }
    }

    /** Records that an acquisition by {@link #acquireAsync} has failed. */
    void acquisitionFailed() {
        gate().leave();
    }

    Hold hold(LockedMethod method, RequestedLocks wanted, Lease lease) {
        return new Hold(gate(), method, wanted, lease);
    }

    private LockGate gate() {
        return environment.gate();
    }

    private Acquirable<? extends Lease> lock(LockedMethod method, RequestedLocks wanted) {
        Leasehold leasehold = environment.leasehold();
        if (wanted.several()) {
            MultiLock together = leasehold.allOf(wanted.names());
            return method.options() == null ? together : together.with(method.options());
        }
        String name = wanted.names().get(0);
        String owner = wanted.owner();
        return switch (method.kind()) {
            case SEMAPHORE -> {
                DistributedSemaphore permits = leasehold.semaphore(name, method.permits());
                yield method.options() == null ? permits : permits.with(method.options());
            }
            case REENTRANT -> view(leasehold.lock(name), method, owner);
            case FAIR -> view(leasehold.fairLock(name), method, owner);
            case READ -> view(leasehold.readWriteLock(name).readLock(), method, owner);
            case WRITE -> view(leasehold.readWriteLock(name).writeLock(), method, owner);
        };
    }

    private static DistributedLock view(DistributedLock lock, LockedMethod method, @Nullable String owner) {
        DistributedLock owned = owner == null ? lock : lock.ownedBy(owner);
        return method.options() == null ? owned : owned.with(method.options());
    }
}
