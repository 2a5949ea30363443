package dev.leasehold.internal.retain;

import dev.leasehold.LockOptions;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LocalGrant;
import dev.leasehold.internal.lease.ProcessHold;
import dev.leasehold.internal.lease.Validity;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.store.ContinueHandOff;
import dev.leasehold.internal.store.ReleaseHold;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A hold in Redis that this client retains between two uses.
 *
 * <table>
 * <caption>States and what ends them</caption>
 * <tr><th>state</th><th>meaning</th><th>next</th></tr>
 * <tr><td>idle</td><td>no lease uses it</td><td>taking, over</td></tr>
 * <tr><td>taking</td><td>a thread takes it over and creates the lease</td><td>used, idle if no token is left</td></tr>
 * <tr><td>used</td><td>a lease has it, which the watchdog does not know</td><td>leaving, over</td></tr>
 * <tr><td>leaving</td><td>a thread releases the lease, without a request</td><td>idle, over if the lease had ended</td></tr>
 * <tr><td>over</td><td>it is released, lost, or belongs to a lease that the watchdog renews</td><td>none</td></tr>
 * </table>
 *
 * <p>Each change of the state is one compare-and-set, so one thread decides what becomes of an idle hold: the one that takes it
 * over, or the one that releases it. Tokens are changed only by the thread that takes the hold over. Safe for use by any thread.
 */
final class RetainedHold {

    private static final AtomicReferenceFieldUpdater<RetainedHold, Object> STATE =
            AtomicReferenceFieldUpdater.newUpdater(RetainedHold.class, Object.class, "state");

    private enum State {
        IDLE,
        TAKING,
        LEAVING,
        OVER
    }

    /** Less than this part of the time for which a hold is retained is too little for another lease. */
    private static final int LEAST_PART = 4;

    /** How many tokens may be ahead of the clock of Redis: a millisecond, as in a run of hand-offs. */
    private static final int AHEAD = 1000;

    private static final int MOST_READINGS = 64;

    private final LockKey key;
    private final LockOptions options;
    private final long retainNanos;
    private final ProcessHold process;

    /** A state without a lease, or the lease that uses the hold. */
    private volatile Object state = State.IDLE;

    private volatile Span span;
    private volatile Tokens reserved;
    private volatile boolean asked;
    private final AtomicBoolean requesting = new AtomicBoolean();
    private volatile long usedUntil;

    // Changed only in the state taking.
    private long nextToken;
    private long lastToken;
    private volatile long used;

    /** The time for which the hold is certain; see {@link LocalGrant}. */
    private record Span(long end, long validUntil, long surplusAtConfirm) {}

    /** Reserved tokens, and by when Redis TIME has come as far as they are. */
    private record Tokens(long first, long last, EarliestServerTime time) {}

    /** Begins to retain the hold of a released lease, for as long as Redis has answered. */
    RetainedHold(LeaseRecord released, ContinueHandOff.Answer answer, long sentAt, long surplusAtSend, long now) {
        this.key = released.key();
        this.options = released.options();
        this.retainNanos = nanosOf(options);
        this.process = new ProcessHold(released, answer.lastToken(), sentAt);
        this.usedUntil = now;
        // Tokens of the hold that no lease has had are followed by these, unless the clock has passed them.
        boolean more = answer.token() == released.lastToken() + 1;
        this.reserved = new Tokens(
                more ? released.token() + 1 : answer.token(),
                answer.lastToken(),
                EarliestServerTime.by(answer.now(), now));
        this.used = released.kept();
        process.retained(used);
        this.span = spanOf(sentAt, Validity.span(retainNanos, answer.leftNanos()), surplusAtSend);
    }

    static long nanosOf(LockOptions options) {
        return options.retainFor() == null ? 0 : options.retainFor().toNanos();
    }

    private static Span spanOf(long sentAt, long nanos, long surplusAtSend) {
        return new Span(sentAt + nanos, sentAt + nanos - Validity.drift(nanos), surplusAtSend);
    }

    LockKey key() {
        return key;
    }

    /** The id of the hold in Redis. */
    AcquisitionId id() {
        return process.hold();
    }

    ProcessHold process() {
        return process;
    }

    long leaseNanos() {
        return options.leaseTime().toNanos();
    }

    long retainNanos() {
        return retainNanos;
    }

    /** The end of the hold. */
    long end() {
        return span.end;
    }

    /** The moment from which no lease may use the hold, unless it is extended. */
    long validUntil(long surplus) {
        return span.validUntil - (surplus - span.surplusAtConfirm);
    }

    /** The moment of the last release. */
    long usedUntil() {
        return usedUntil;
    }

    /** Returns whether the next token is not far ahead of the clock of Redis. */
    boolean hasTokens(long now) {
        return reserved.time.reached(reserved.first - AHEAD) - now <= 0;
    }

    /** The last token that was given out. */
    long used() {
        return used;
    }

    long lastReserved() {
        return reserved.last;
    }

    /** The tokens that its release passes. */
    ReleaseHold.Tokens tokens() {
        return new ReleaseHold.Tokens(used, reserved.last);
    }

    /** Returns whether a lease with these options cannot be told from the one that was released. */
    private boolean fits(LockOptions other) {
        return options.retainFor() != null
                && options.retainFor().equals(other.retainFor())
                && options.leaseTime().equals(other.leaseTime())
                && options.renewal().equals(other.renewal());
    }

    private boolean covers(long now, long surplus) {
        Span last = span;
        long disagreement = surplus - last.surplusAtConfirm;
        return !asked
                && !process.denied()
                && disagreement <= Validity.drift(retainNanos)
                && last.validUntil - disagreement - now >= retainNanos / LEAST_PART;
    }

    /** Takes the hold over for a new lease, which has the next token; null if it is in use, unfit, in doubt, or nearly over. */
    @Nullable
    LeaseRecord take(RequestContext context, LockOptions other, @Nullable Thread thread, boolean tied) {
        long now = context.now();
        long surplus = context.surplus();
        if (state != State.IDLE
                || !fits(other)
                || !covers(now, surplus)
                || !STATE.compareAndSet(this, State.IDLE, State.TAKING)) {
            return null;
        }
        long token = nextToken(context);
        if (token == 0) {
            state = State.IDLE;
            return null;
        }
        LeaseRecord next = new LeaseRecord(key, idOf(token), null, other, thread, tied);
        // Read once more: the span may be a later one than that which covers(...) saw, and never an earlier one.
        Span last = span;
        next.handed(new LocalGrant(process, token, now, last.end, last.validUntil, last.surplusAtConfirm));
        state = next;
        return next;
    }

    /** Returns the next token; 0 if none is left, or if it is far ahead of the clock of Redis. */
    private long nextToken(RequestContext context) {
        Tokens block = reserved;
        if (block.first > lastToken + 1) {
            nextToken = block.first;
        }
        lastToken = block.last;
        if (nextToken > lastToken || !awaitDue(context, block.time.reached(nextToken - AHEAD))) {
            return 0;
        }
        used = Math.max(used, nextToken);
        return nextToken++;
    }

    /**
     * Waits until the clock of Redis has reached the next token: if all data were lost, the next holder gets a higher one. The wait
     * is far shorter than a request; if the clock does not advance, it ends all the same.
     */
    private static boolean awaitDue(RequestContext context, long due) {
        for (int i = 0; i < MOST_READINGS && due - context.now() > 0; i++) {
            Thread.onSpinWait();
        }
        return due - context.now() <= 0;
    }

    /** An id for a lease whose hold has another: it is never sent. The token makes it unique. */
    private AcquisitionId idOf(long token) {
        return new AcquisitionId(process.hold().value() + '.' + token);
    }

    /** Begins the release of the lease that uses the hold; false if the hold was taken out of retention. */
    boolean beginLeaving(LeaseRecord user) {
        return STATE.compareAndSet(this, user, State.LEAVING);
    }

    /** Ends what {@link #beginLeaving} began: the lease is released, and the hold is idle. */
    void left(long now) {
        usedUntil = now;
        state = State.IDLE;
    }

    /** Ends the retention of a hold that a lease uses; false if it does not use it any more. */
    boolean detach(LeaseRecord user) {
        return STATE.compareAndSet(this, user, State.OVER);
    }

    /** Ends the retention of an idle hold; the caller, if this returns true, releases it. */
    boolean claim() {
        return STATE.compareAndSet(this, State.IDLE, State.OVER);
    }

    /** Ends the retention of a hold whose lease had ended when it was to be released. */
    void finish() {
        state = State.OVER;
    }

    boolean over() {
        return state == State.OVER;
    }

    boolean idle() {
        return state == State.IDLE;
    }

    boolean usedBy(LeaseRecord record) {
        return state == record;
    }

    /** The lease that uses the hold; null if none does. */
    @Nullable
    LeaseRecord user() {
        return state instanceof LeaseRecord record ? record : null;
    }

    /** Another client asks for the lock: no further lease takes the hold over. */
    void ask() {
        asked = true;
    }

    boolean asked() {
        return asked;
    }

    /** Redis confirmed the hold for this span from the moment the request was sent, and reserved tokens. */
    void extended(long sentAt, long nanos, long surplusAtSend, ContinueHandOff.Answer answer, long now) {
        Span later = spanOf(sentAt, nanos, surplusAtSend);
        if (later.validUntil - validUntil(surplusAtSend) > 0) {
            span = later;
        }
        if (answer.token() > reserved.last) {
            reserved = new Tokens(answer.token(), answer.lastToken(), reserved.time.and(answer.now(), sentAt, now));
            process.reserved(answer.lastToken());
        }
    }

    /** Records that a request to retain it for longer begins; false if one is in flight. */
    boolean beginRequest() {
        return requesting.compareAndSet(false, true);
    }

    void requestOver() {
        requesting.set(false);
    }

    /** Returns for how long from now the hold is to last: as long as a hold that is released now, or was released last. */
    long spanFrom(long now) {
        return idle() ? usedUntil + retainNanos - now : retainNanos;
    }
}
