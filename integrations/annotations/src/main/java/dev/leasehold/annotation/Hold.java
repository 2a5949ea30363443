package dev.leasehold.annotation;

import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A lease and the calls that share it. The last call releases the lease, even if another call acquired it. */
final class Hold {

    private final LockGate gate;
    private final LockedMethod acquirer;
    private final RequestedLocks locks;
    private final Lease lease;
    private final AtomicInteger calls = new AtomicInteger(1);

    Hold(LockGate gate, LockedMethod acquirer, RequestedLocks locks, Lease lease) {
        this.gate = gate;
        this.acquirer = acquirer;
        this.locks = locks;
        this.lease = lease;
    }

    Lease lease() {
        return lease;
    }

    /**
     * Joins the hold of an outer call. Returns null if there is none and the call must acquire its locks.
     *
     * @throws LeaseLostException if the lease of the hold is lost; the call does not begin then
     * @throws IllegalStateException if a writer is called inside of a reader, or a call that needs several locks inside of
     *     one that holds only some of them
     */
    static @Nullable Hold join(List<Frame> frames, LockedMethod method, RequestedLocks wanted) {
        if (method.kind() == Lock.Kind.SEMAPHORE) {
            return null;
        }
        for (int i = frames.size() - 1; i >= 0; i--) {
            Hold hold = frames.get(i).hold();
            if (hold.covers(method, wanted) && hold.enter()) {
                if (hold.acquirer.kind() == Lock.Kind.READ && method.kind() != Lock.Kind.READ) {
                    hold.calls.decrementAndGet();
                    throw new IllegalStateException(method.shown() + " would write under " + wanted.shown()
                            + " inside of " + hold.acquirer.shown()
                            + ", which reads: two such calls would deadlock. Let the outer method take the write lock");
                }
                return hold.stillHeld();
            }
        }
        if (wanted.several()) {
            frames.forEach(frame -> frame.hold().refuseSome(method, wanted));
        }
        return null;
    }

    /** Returns whether a call may share this hold. */
    private boolean covers(LockedMethod method, RequestedLocks wanted) {
        return locks.names().containsAll(wanted.names())
                && acquirer.kind() != Lock.Kind.SEMAPHORE
                && (method.kind() == Lock.Kind.READ || Objects.equals(locks.owner(), wanted.owner()));
    }

    /** Refuses a call that needs some locks of this hold and others. */
    private void refuseSome(LockedMethod method, RequestedLocks wanted) {
        if (acquirer.kind() != Lock.Kind.SEMAPHORE
                && calls.get() > 0
                && !Collections.disjoint(locks.names(), wanted.names())) {
            throw new IllegalStateException(method.shown() + " would acquire " + wanted.shown() + " inside of "
                    + acquirer.shown()
                    + ", which holds some of them, but not all: the call would wait for its own caller."
                    + " Let the outer method acquire all of them");
        }
    }

    private Hold stillHeld() {
        try {
            lease.ensureHeld();
            return this;
        } catch (RuntimeException e) {
            calls.decrementAndGet();
            throw e;
        }
    }

    private boolean enter() {
        return calls.updateAndGet(n -> n == 0 ? 0 : n + 1) > 0;
    }

    /**
     * Ends one call. The last call releases the lease.
     *
     * @throws LeaseLostException if the lease was lost
     */
    void leave() {
        if (calls.decrementAndGet() == 0) {
            try {
                lease.close();
            } finally {
                gate.leave();
            }
        } else {
            lease.ensureHeld();
        }
    }

    /** Does the same as {@link #leave} without blocking. */
    CompletionStage<@Nullable Void> leaveAsync() {
        if (calls.decrementAndGet() == 0) {
            return lease.releaseAsync().whenComplete((done, lost) -> gate.leave());
        }
        try {
            lease.ensureHeld();
            return CompletableFuture.completedFuture(null);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Returns the reason why the lease is no longer held. */
    RuntimeException loss() {
        try {
            lease.ensureHeld();
            return new IllegalStateException("the lease of " + locks.shown() + " is held");
        } catch (RuntimeException e) {
            return e;
        }
    }
}
