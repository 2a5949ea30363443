package dev.leasehold.spring;

import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A lease and the calls that share it; it is released by the last of them, which need not be the one that took it. */
final class Hold {

    private final LockGate gate;
    private final LockedMethod by;
    private final String name;
    private final @Nullable String owner;
    private final Lease lease;
    private final AtomicInteger calls = new AtomicInteger(1);

    Hold(LockGate gate, LockedMethod by, String name, @Nullable String owner, Lease lease) {
        this.gate = gate;
        this.by = by;
        this.name = name;
        this.owner = owner;
        this.lease = lease;
    }

    Lease lease() {
        return lease;
    }

    /**
     * The hold that a call joins, entered; null if it has to take the lock.
     *
     * @throws LeaseLostException if its lease is lost: whoever goes on under it is told before it begins
     * @throws IllegalStateException if a reader would write
     */
    static @Nullable Hold join(List<Frame> frames, LockedMethod method, String name, @Nullable String owner) {
        if (method.kind() == Lock.Kind.SEMAPHORE) {
            return null;
        }
        for (int i = frames.size() - 1; i >= 0; i--) {
            Hold hold = frames.get(i).hold();
            if (hold.name.equals(name)
                    && hold.by.kind() != Lock.Kind.SEMAPHORE
                    && Objects.equals(hold.owner, method.kind() == Lock.Kind.READ ? hold.owner : owner)
                    && hold.enter()) {
                if (hold.by.kind() == Lock.Kind.READ && method.kind() != Lock.Kind.READ) {
                    hold.calls.decrementAndGet();
                    throw new IllegalStateException(
                            method.shown() + " would write under lock " + lockText(name)
                                    + " inside of " + hold.by.shown()
                                    + ", which reads: two who tried would wait for each other for ever. Let the outer method write");
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
     * One call less.
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

    /** {@link #leave} without a waiting thread. */
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

    /** Why a lease that is not held any more is not. */
    RuntimeException loss() {
        try {
            lease.ensureHeld();
            return new IllegalStateException("the lease of lock " + lockText(name) + " is held");
        } catch (RuntimeException e) {
            return e;
        }
    }

    /** A name for a message: without control characters, and not too long. */
    static String lockText(String name) {
        StringBuilder shown = new StringBuilder("'");
        name.chars().limit(100).forEach(c -> shown.append(Character.isISOControl(c) ? '?' : (char) c));
        return shown.append(name.length() > 100 ? "...'" : "'").toString();
    }
}
