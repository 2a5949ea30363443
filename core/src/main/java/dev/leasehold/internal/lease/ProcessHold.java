package dev.leasehold.internal.lease;

import dev.leasehold.event.LossCause;
import dev.leasehold.internal.key.AcquisitionId;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A hold in Redis that passes through several leases of this process, each of which hands the lock off to the next. The run of
 * hand-offs that need no request to Redis ends with the reserved tokens, or after 20 ms. Only the thread that releases the
 * current lease changes it; any thread may read it.
 */
public sealed class ProcessHold permits SharedReadHold {

    /** A longer run would delay other processes noticeably; in a shorter run, requests would cost more than the work between. */
    private static final long RUN_NANOS = 20_000_000;

    private static final int TOKENS_PER_WAITER = 32;
    private static final int MAX_TOKENS = 1000;

    private final AcquisitionId hold;
    private final SentRequests sent;
    private volatile long lastToken;
    /** The last token that is not given back: the client passes it as a floor, or a lease had it. */
    private volatile long kept;

    private volatile long runEndsAt;
    private volatile @Nullable LossCause denied;
    private volatile boolean shared;
    private final AtomicReference<LeaseRecord> current;

    /** Creates a hold that Redis has granted or renewed, with tokens reserved up to the last one. */
    public ProcessHold(LeaseRecord first, long lastToken, long sentAt) {
        this.hold = first.hold();
        this.sent = first.sent();
        this.lastToken = lastToken;
        this.kept = lastToken;
        this.runEndsAt = sentAt + RUN_NANOS;
        this.current = new AtomicReference<>(first);
    }

    /** Returns the number of tokens to reserve for local waiters: several for each, because they often acquire again. */
    public static int tokens(int waiting) {
        return Math.min(MAX_TOKENS, 1 + TOKENS_PER_WAITER * waiting);
    }

    /** The id of the hold in Redis: that of its first lease. */
    public AcquisitionId hold() {
        return hold;
    }

    /** What the requests of all leases that have had the hold may have left in Redis. */
    public final SentRequests sent() {
        return sent;
    }

    /** Records that Redis reserved more tokens, after those before. */
    public final void reserved(long last) {
        lastToken = last;
    }

    /** Records that the hold is retained: the tokens after this one are given back unless leases have them. */
    public final void retained(long keptToken) {
        kept = keptToken;
    }

    final long kept() {
        return kept;
    }

    final long lastToken() {
        return lastToken;
    }

    /** The moment at which the run of hand-offs without a request to Redis ends. */
    final long runEndsAt() {
        return runEndsAt;
    }

    /** Returns whether the run allows a hand-off with this token; otherwise Redis must be asked whether other clients wait. */
    public boolean mayHandOff(long token, long now) {
        return token <= lastToken && now - runEndsAt < 0;
    }

    /** Begins another run with new tokens, after Redis has answered that no other client waits. */
    void beginRun(long last, long sentAt) {
        lastToken = last;
        kept = last;
        runEndsAt = sentAt + RUN_NANOS;
    }

    /** Returns the hold that the current lease may hand off; null if it may not hand it off. */
    @Nullable
    ProcessHold transferable() {
        return shared ? null : this;
    }

    /**
     * Ends hand-offs. Called before Redis is informed that readers have the hold: from then on Redis grants the lock to readers of
     * other clients, too.
     */
    final void share() {
        shared = true;
    }

    /** Records that Redis no longer has the hold. Called before {@link #current} is read: that lease is lost. */
    void deny(LossCause cause) {
        denied = cause;
    }

    /** Records that Redis no longer has the hold; returns the lease that has it, or had it last. */
    public final LeaseRecord lost(LossCause cause) {
        deny(cause);
        return Objects.requireNonNull(current.get());
    }

    /** Returns whether Redis no longer has the hold. */
    public final boolean denied() {
        return denialCause() != null;
    }

    /** The cause for which Redis no longer has the hold; null if it has it. */
    @Nullable
    LossCause denialCause() {
        return denied;
    }

    /**
     * Returns the lease that has the lock now. The outcome of requests for the hold applies to it.
     *
     * @param former a lease that has, or had, the hold
     */
    LeaseRecord current(LeaseRecord former) {
        return Objects.requireNonNull(current.get());
    }

    /**
     * Records a hand-off to a lease. That lease may have handed the lock off itself before its predecessor calls this: the lease
     * with the later token stays.
     *
     * @return the cause for which the hold is gone, which was not reported to the lease; null if the hold is not gone
     */
    @Nullable
    public LossCause handedTo(LeaseRecord next) {
        current.accumulateAndGet(next, (latest, handed) -> handed.token() > latest.token() ? handed : latest);
        return denied;
    }
}
