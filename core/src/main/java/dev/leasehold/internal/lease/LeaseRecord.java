package dev.leasehold.internal.lease;

import dev.leasehold.LockOptions;
import dev.leasehold.Renewal;
import dev.leasehold.event.LossCause;
import dev.leasehold.internal.dispatch.LeaseObserver;
import dev.leasehold.internal.jfr.Flight;
import dev.leasehold.internal.jfr.Span;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.store.ReleaseHold;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * One lease, from before its acquire is sent to its end. It is identified by the id of its acquisition, never by the name of
 * the lock, and never reused for a second acquisition. Its state and deadline are one immutable snapshot, its renewal has a
 * {@linkplain RenewalPlan plan}, and a hold that it shares or hands off is a {@link ProcessHold}. Safe for use by any thread.
 */
public final class LeaseRecord extends LeaseTerms {

    // Field updaters instead of atomic objects: a client may have a hundred thousand leases.
    private static final AtomicReferenceFieldUpdater<LeaseRecord, LeaseSnapshot> SNAPSHOT =
            AtomicReferenceFieldUpdater.newUpdater(LeaseRecord.class, LeaseSnapshot.class, "snapshot");
    private static final AtomicReferenceFieldUpdater<LeaseRecord, @Nullable LossNotice> NOTICE =
            AtomicReferenceFieldUpdater.newUpdater(LeaseRecord.class, LossNotice.class, "notice");

    private final RenewalPlan plan = new RenewalPlan();
    /** Those of its acquisition, or of the hold that another lease passed on to it. */
    private volatile SentRequests sent;

    private volatile LeaseSnapshot snapshot = LeaseSnapshot.ACQUIRING;

    // Written before the record is HELD, read after.
    private volatile long token;
    /** Until the grant, the beginning of the acquisition. */
    private volatile long grantedAt;

    private volatile @Nullable ProcessHold sharedHold;

    /** Created on first use: at the release, at a loss, or for a listener. */
    private volatile @Nullable LossNotice notice;

    private volatile boolean leads;
    private volatile boolean exported;
    /** True while the lease waits, held, for other locks of the same acquisition. */
    private volatile boolean gathering;
    /** True if the grant was reported: then the end is reported, too. */
    private volatile boolean reportedHeld;
    /** True if the release was reported: then a loss that is found later is not reported as the end. */
    private volatile boolean reportedReleased;

    private volatile @Nullable Span span;
    private volatile @Nullable LeaseObserver observer;
    private volatile @Nullable Reachability reachability;

    public LeaseRecord(
            LockKey key,
            AcquisitionId id,
            @Nullable OwnerKey named,
            LockOptions options,
            @Nullable Thread thread,
            boolean tiedToThread) {
        super(key, id, named, options, thread, tiedToThread);
        this.sent = new SentRequests(leaseNanos());
    }

    /** Returns what the requests for its hold may have left in Redis. */
    public SentRequests sent() {
        return sent;
    }

    /** Marks the lease as waiting for other locks of its acquisition: until then it is renewed whatever its options are. */
    public void gather() {
        gathering = true;
    }

    /** Ends the wait for other locks: its caller has the lease from now on. Returns whether the lease was waiting for them. */
    public boolean gathered(long now) {
        boolean before = gathering;
        if (before) {
            grantedAt = now;
            gathering = false;
        }
        return before;
    }

    public boolean gathering() {
        return gathering;
    }

    /** The renewal that applies at present. */
    public Renewal renewal() {
        return gathering ? Renewal.whileHeld() : options().renewal();
    }

    public LossNotice notice() {
        LossNotice existing = notice;
        if (existing == null) {
            NOTICE.compareAndSet(this, null, new LossNotice());
            existing = notice;
        }
        return Objects.requireNonNull(existing);
    }

    /** Records that Redis granted the lease; {@code sentAt} and the surplus are those of the answered request. */
    public Transition granted(long grantedToken, long sentAt, long leftNanos, long surplusAtSend) {
        token = grantedToken;
        grantedAt = sentAt;
        return update(LeaseEvent.GRANTED, sentAt, Validity.span(leaseNanos(), leftNanos), surplusAtSend, 0);
    }

    /** Records that Redis transferred the hold of another lease to this one, a reader, with this token. */
    public void granted(LeaseRecord from, long grantedToken, long sentAt, long span, long surplusAtSend) {
        receive(new ProcessHold(from, grantedToken, sentAt));
        token = grantedToken;
        grantedAt = sentAt;
        update(LeaseEvent.GRANTED, sentAt, span, surplusAtSend, 0);
    }

    /**
     * Records that another lease of this process handed the lock off to this one. The releasing thread and the receiving one
     * both call this; the second call changes nothing.
     */
    public void handed(LocalGrant grant) {
        LeaseSnapshot before = snapshot;
        if (before.state() != LeaseState.ACQUIRING) {
            return;
        }
        token = grant.token();
        grantedAt = grant.at();
        receive(grant.hold());
        LeaseState next = Transitions.next(before.state(), LeaseEvent.GRANTED);
        SNAPSHOT.compareAndSet(
                this, before, new LeaseSnapshot(next, grant.end(), grant.validUntil(), grant.surplusAtConfirm(), 0));
    }

    /** Has a hold that another lease of this process had, or still has. */
    private void receive(ProcessHold hold) {
        sharedHold = hold;
        sent = hold.sent();
        sent.passedOn(leaseNanos());
    }

    /** Records that Redis reserved tokens up to this one for local hand-offs: a run of hand-offs begins. */
    public ProcessHold reserved(long lastToken, long sentAt) {
        ProcessHold hold = sharedHold;
        if (hold == null) {
            hold = new ProcessHold(this, lastToken, sentAt);
            sharedHold = hold;
        } else {
            hold = Objects.requireNonNull(hold.transferable());
            hold.beginRun(lastToken, sentAt);
        }
        return hold;
    }

    /** Returns whether the lock may be handed off to another lease: by its only lease, or by the last of its readers. */
    public boolean mayHandOff() {
        ProcessHold hold = sharedHold;
        return hold == null ? key().kind().handsOff() : hold.transferable() != null;
    }

    /** Shares the hold with other readers from here on; returns its remaining time for them. */
    LocalGrant share(SharedReadHold readers) {
        LeaseSnapshot last = snapshot;
        sharedHold = readers;
        return new LocalGrant(readers, token, grantedAt, last.end(), last.validUntil(), last.surplusAtConfirm());
    }

    /** The hold of a reader, which it may share with others; null if the lease is no reader's. */
    @Nullable
    public SharedReadHold reading() {
        return sharedHold instanceof SharedReadHold readers ? readers : null;
    }

    /** Returns the lease that has the hold now: the last one it was handed off to, or this one. */
    public LeaseRecord current() {
        ProcessHold hold = sharedHold;
        return hold == null ? this : hold.current(this);
    }

    /** Records that Redis no longer has the hold, which ends hand-offs; returns the lease that has lost it. */
    public LeaseRecord denied(LossCause cause) {
        ProcessHold hold = sharedHold;
        if (hold != null) {
            hold.deny(cause);
        }
        return current();
    }

    /** The id of the hold in Redis: that of this lease, unless the lock was handed off to it. */
    public AcquisitionId hold() {
        ProcessHold hold = sharedHold;
        return hold == null ? id() : hold.hold();
    }

    /** The last token that belongs to its hold: its own, unless others are reserved. */
    public long lastToken() {
        ProcessHold hold = sharedHold;
        return hold == null ? token : hold.lastToken();
    }

    /** The last token of its hold that is not given back: its own, or the last of those for hand-offs. */
    public long kept() {
        ProcessHold hold = sharedHold;
        return hold == null ? token : Math.max(token, hold.kept());
    }

    /** The tokens of its hold, if that may have been retained; else null. */
    ReleaseHold.@Nullable Tokens retainedTokens() {
        return options().retainFor() != null && current() == this ? new ReleaseHold.Tokens(kept(), lastToken()) : null;
    }

    /** Returns the remaining time of the hold for the next lease; null if a hand-off needs a request to Redis. */
    @Nullable
    public LocalGrant next(long now, long surplus) {
        ProcessHold shared = sharedHold;
        ProcessHold hold = shared == null ? null : shared.transferable();
        if (hold == null || !hold.mayHandOff(token + 1, now)) {
            return null;
        }
        LeaseSnapshot last = snapshot;
        LocalGrant grant = new LocalGrant(hold, token + 1, now, last.end(), last.validUntil(), last.surplusAtConfirm());
        return grant.covers(options(), now, surplus) ? grant : null;
    }

    /** Records that Redis confirmed the hold for at least this span from the moment the request was sent. */
    public Transition confirmed(long sentAt, long spanNanos, long surplusAtSend, boolean counts) {
        return update(LeaseEvent.CONFIRMED, sentAt, spanNanos, surplusAtSend, counts ? 1 : 0);
    }

    private Transition update(LeaseEvent event, long sentAt, long span, long surplusAtSend, int renewals) {
        while (true) {
            LeaseSnapshot before = snapshot;
            LeaseState next = Transitions.next(before.state(), event);
            LeaseSnapshot after = next == LeaseState.HELD
                    ? before.confirmed(sentAt, span, surplusAtSend, renewals)
                    : before.withState(next);
            if (SNAPSHOT.compareAndSet(this, before, after)) {
                return new Transition(before.state(), next);
            }
        }
    }

    /** Records that the holder releases the lease: from here on its thread is not interrupted. */
    public Transition releaseCalled() {
        return notice().release(() -> apply(LeaseEvent.RELEASE_CALLED));
    }

    /** Applies an event that leaves the deadline as it is. */
    public Transition apply(LeaseEvent event) {
        while (true) {
            LeaseSnapshot before = snapshot;
            LeaseState next = Transitions.next(before.state(), event);
            if (next == before.state() || SNAPSHOT.compareAndSet(this, before, before.withState(next))) {
                return new Transition(before.state(), next);
            }
        }
    }

    public RenewalPlan plan() {
        return plan;
    }

    /** Sets the observer that is notified in addition to the listeners; null for none. */
    public void observedBy(@Nullable LeaseObserver leaseObserver) {
        observer = leaseObserver;
    }

    @Nullable
    LeaseObserver observer() {
        return observer;
    }

    /** Records that the grant is about to be reported. */
    void reportedHeld() {
        reportedHeld = true;
        span = Flight.holding();
    }

    /** Returns whether the grant was reported. */
    boolean wasReportedHeld() {
        return reportedHeld;
    }

    /** Records that the release is about to be reported. */
    void reportedReleased() {
        reportedReleased = true;
        endRecording("RELEASED");
    }

    /** Returns whether the release was reported. */
    public boolean wasReportedReleased() {
        return reportedReleased;
    }

    /** Ends the span in a flight recording, if the recording was running when the span began. */
    void endRecording(String outcome) {
        Span holding = span;
        if (holding != null) {
            span = null;
            holding.over(key(), outcome, token, renewals());
        }
    }

    public LeaseState state() {
        return snapshot.state();
    }

    /** Returns whether the lease is held, confirmed or not: the watchdog plans for it. */
    public boolean holding() {
        return switch (state()) {
            case HELD, UNCONFIRMED, SUSPECT -> true;
            case ACQUIRING, UNKNOWN, RELEASING, RELEASED, LOST -> false;
        };
    }

    /** Returns the deadline, shortened by the growth of the surplus since the last confirmation. */
    public long validUntil(long surplus) {
        return snapshot.validUntil(surplus);
    }

    /** Records that it is the lease of a leader's term, which may be held for long. */
    public void lead() {
        leads = true;
        plan.reportedLongHold();
    }

    /** Returns whether it is the lease of a leader's term: a client that closes notifies the leader before it releases it. */
    public boolean leads() {
        return leads;
    }

    /** Returns whether another process may resume it; such a lease is not handed off within this process. */
    public boolean exported() {
        return exported;
    }

    public void exported(boolean value) {
        exported = value;
    }

    /** The reachability of the lease's handle; null if the lease has no handle, because a thread holds it. */
    @Nullable
    public Reachability reachability() {
        return reachability;
    }

    public void watch(Reachability handle) {
        reachability = handle;
    }

    /** Returns whether the lease is still to be renewed. */
    public boolean renews() {
        return plan.stopped() == null && renewals() < renewal().times();
    }

    /**
     * Returns the moment at which the lease counts as lost unless it is confirmed before: its deadline. The deadline of a suspect
     * lease is shortened by the disagreement of the clocks. But if the wall clock was merely set, the lease still lasts, so Redis
     * has one command timeout to confirm it; meanwhile the lease is not valid for its holder.
     */
    public long lossAt(long surplus, long commandNanos) {
        return snapshot.lossAt(surplus, plan.suspectSince() + commandNanos);
    }

    /** Returns whether the clocks disagree by more than the drift that the lease allows for. */
    public boolean suspicious(long surplus) {
        return snapshot.disagreement(surplus) > Validity.drift(leaseNanos());
    }

    public long end() {
        return snapshot.end();
    }

    /** The end of the hold, if the growth of the surplus since the last confirmation is time that has passed. */
    public long end(long surplus) {
        return snapshot.end(surplus);
    }

    public int renewals() {
        return snapshot.renewals();
    }

    public long token() {
        return token;
    }

    public long grantedAt() {
        return grantedAt;
    }

    /** Records when the acquisition began; {@link #grantedAt} is that moment until the grant. */
    public void begunAt(long moment) {
        grantedAt = moment;
    }
}
