package dev.leasehold.spring;

import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
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
    private final String name;
    private final @Nullable String owner;
    private final Lease lease;
    private final AtomicInteger calls = new AtomicInteger(1);

    Hold(LockGate gate, LockedMethod acquirer, String name, @Nullable String owner, Lease lease) {
        this.gate = gate;
        this.acquirer = acquirer;
        this.name = name;
        this.owner = owner;
        this.lease = lease;
    }

    Lease lease() {
        return lease;
    }

    /**
     * Joins the hold of an outer call. Returns null if there is none and the call must acquire the lock.
     *
     * @throws LeaseLostException if the lease of the hold is lost; the call does not begin then
     * @throws IllegalStateException if a writer is called inside of a reader
     */
    static @Nullable Hold join(List<Frame> frames, LockedMethod method, String name, @Nullable String owner) {
        if (method.kind() == Lock.Kind.SEMAPHORE) {
            return null;
        }
        for (int i = frames.size() - 1; i >= 0; i--) {
            Hold hold = frames.get(i).hold();
            if (hold.name.equals(name)
                    && hold.acquirer.kind() != Lock.Kind.SEMAPHORE
                    && Objects.equals(hold.owner, method.kind() == Lock.Kind.READ ? hold.owner : owner)
                    && hold.enter()) {
                if (hold.acquirer.kind() == Lock.Kind.READ && method.kind() != Lock.Kind.READ) {
                    hold.calls.decrementAndGet();
                    throw new IllegalStateException(method.shown() + " would write under lock " + lockText(name)
                            + " inside of " + hold.acquirer.shown()
                            + ", which reads: two such calls would deadlock. Let the outer method take the write lock");
                }
                return hold.stillHeld();
            }
        }
        return null;
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
            return new IllegalStateException("the lease of lock " + lockText(name) + " is held");
        } catch (RuntimeException e) {
            return e;
        }
    }

    /** Returns a name for a message: without control characters, and truncated. */
    static String lockText(String name) {
        StringBuilder shown = new StringBuilder("'");
        name.chars().limit(100).forEach(c -> shown.append(Character.isISOControl(c) ? '?' : (char) c));
        return shown.append(name.length() > 100 ? "...'" : "'").toString();
    }
}
