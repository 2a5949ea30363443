package dev.leasehold.internal.lease;

import dev.leasehold.event.LossCause;
import dev.leasehold.internal.key.AcquisitionId;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The time for which this process has a lock in Redis, over one or more leases of which each hands it on to the next.
 * Changed only by whoever releases the present lease, one after another; read by any thread.
 */
public sealed class ProcessHold permits SharedReadHold {

    /** A longer run would be felt by other processes; in a shorter one asking would cost more than the work between. */
    private static final long RUN_NANOS = 20_000_000;

    private static final int TOKENS_A_WAITER = 32;
    private static final int MOST_TOKENS = 1000;

    private final AcquisitionId hold;
    private volatile long lastToken;
    private volatile long runEndsAt;
    private volatile @Nullable LossCause denied;
    private volatile boolean shared;
    private final AtomicReference<LeaseRecord> present;

    /** Begins with a hold that Redis has granted or renewed, with tokens up to the last one reserved for it. */
    public ProcessHold(LeaseRecord first, long lastToken, long sentAt) {
        this.hold = first.hold();
        this.lastToken = lastToken;
        this.runEndsAt = sentAt + RUN_NANOS;
        this.present = new AtomicReference<>(first);
    }

    /** How many tokens to reserve when so many wait: for several turns of each, because they often come again. */
    public static int tokens(int waiting) {
        return Math.min(MOST_TOKENS, 1 + TOKENS_A_WAITER * waiting);
    }

    /** The id under which Redis knows it: that of the first lease. */
    public AcquisitionId hold() {
        return hold;
    }

    /** Until when it may be handed on without asking Redis. */
    public final long runEndsAt() {
        return runEndsAt;
    }

    /** Whether the lock may be handed on under this token without asking Redis, which knows whether others wait. */
    public boolean runs(long token, long now) {
        return token <= lastToken && now - runEndsAt < 0;
    }

    /** Redis was asked, and nobody else waits: another run, with new tokens. */
    public void goesOn(long last, long sentAt) {
        lastToken = last;
        runEndsAt = sentAt + RUN_NANOS;
    }

    /** The run in which the lease that has the lock may hand it on; null if it may not. */
    @Nullable
    public ProcessHold run() {
        return shared ? null : this;
    }

    /** Redis is about to be told that readers have the hold, and lets others in: from here on it is nobody's to hand on. */
    public final void share() {
        shared = true;
    }

    /** Redis does not know the hold any more. Said before the present lease is asked for, which is told of it. */
    public void deny(LossCause cause) {
        denied = cause;
    }

    public final boolean denied() {
        return whyDenied() != null;
    }

    /** Why Redis does not know the hold any more; null if it does. */
    @Nullable
    public LossCause whyDenied() {
        return denied;
    }

    /**
     * The lease that has the lock, which learns what becomes of the hold.
     *
     * @param asked one that has had it, and asks
     */
    public LeaseRecord present(LeaseRecord asked) {
        return Objects.requireNonNull(present.get());
    }

    /**
     * The lock was handed to a lease. It may have handed it on before its predecessor comes to say so here: the later lease
     * stays.
     *
     * @return why the hold is gone, of which nobody told the lease; null if it is not
     */
    @Nullable
    public LossCause handedTo(LeaseRecord next) {
        present.accumulateAndGet(next, (there, handed) -> handed.token() > there.token() ? handed : there);
        return denied;
    }
}
