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
import dev.leasehold.internal.script.ServerTime;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * One acquisition, from before its request is sent to its end. Keyed by its id, never by its name, and never used for a
 * second acquisition. State and deadline are one immutable snapshot, so they are always read together.
 */
public final class LeaseRecord {

    private static final AtomicReferenceFieldUpdater<LeaseRecord, Snapshot> SNAPSHOT =
            AtomicReferenceFieldUpdater.newUpdater(LeaseRecord.class, Snapshot.class, "snapshot");
    // Not objects of their own: a client may have a hundred thousand leases.
    private static final AtomicReferenceFieldUpdater<LeaseRecord, @Nullable PlannedTimer> TIMER =
            AtomicReferenceFieldUpdater.newUpdater(LeaseRecord.class, PlannedTimer.class, "timer");
    private static final AtomicReferenceFieldUpdater<LeaseRecord, @Nullable LossNotice> NOTICE =
            AtomicReferenceFieldUpdater.newUpdater(LeaseRecord.class, LossNotice.class, "notice");
    private static final AtomicReferenceFieldUpdater<LeaseRecord, @Nullable Object> RENEWING =
            AtomicReferenceFieldUpdater.newUpdater(LeaseRecord.class, Object.class, "renewing");

    private final LockKey key;
    private final AcquisitionId id;
    /** Null if it is its own owner: what is shown of that is made when it is asked for. */
    private final @Nullable OwnerKey named;

    private final LockOptions options;
    /** Whose hold it is: interrupted on loss, shown when held for long, and watched if it locked through {@code Lock}. */
    private final @Nullable Thread thread;

    private final boolean tiedToThread;

    private volatile @Nullable PlannedTimer timer;

    private volatile Snapshot snapshot = new Snapshot(LeaseState.ACQUIRING, 0, 0, 0, 0);

    // Written before the record is HELD, read after.
    private volatile long token;
    private volatile long grantedAt;
    private volatile @Nullable ProcessHold tenure;

    // The watchdog's notes.
    private volatile @Nullable Object renewing;

    /** Made when it is first needed: at the release, at a loss, or for a listener. */
    private volatile @Nullable LossNotice notice;

    private volatile long renewDueAt;
    private volatile long nextTryAt;
    private volatile long suspectSince;
    private volatile boolean warnedLong;
    /** Whether it waits, held, until other locks are there that its holder takes with it. */
    private volatile boolean gathering;

    /** Whether another process may take it over: then it is not handed on within this one. */
    private volatile boolean exported;

    /** Whether it was told that it is held: then its end is told, too. */
    private volatile boolean reportedHeld;

    /** Whether it was told that it is released: then a loss that is found later ends nothing more. */
    private volatile boolean reportedReleased;

    private volatile @Nullable Span span;
    private volatile @Nullable LeaseObserver observer;

    private volatile long longestSpan;
    private volatile @Nullable LossCause renewalStopped;
    private volatile @Nullable Reachability reachability;
    /** Until when a second copy of the acquire could be granted; NONE if only one was sent. */
    private volatile ServerTime copiesUntil = ServerTime.NONE;

    /** Tells whether anybody can still release the lease, and where it was taken. */
    public interface Reachability {
        boolean reachable();

        String takenAt();
    }

    /** The one planned timer of a lease. */
    public interface PlannedTimer {
        void cancel();
    }

    /** State and deadline, read together: {@code end} and {@code validUntil} on the monotonic clock. */
    public record Snapshot(LeaseState state, long end, long validUntil, long surplusBase, int renewals) {}

    /** What an event changed. */
    public record Transition(LeaseState before, LeaseState after) {
        public boolean became(LeaseState state) {
            return after == state && before != state;
        }
    }

    public LeaseRecord(
            LockKey key,
            AcquisitionId id,
            @Nullable OwnerKey named,
            LockOptions options,
            @Nullable Thread thread,
            boolean tiedToThread) {
        this.key = key;
        this.id = id;
        this.named = named;
        this.options = options;
        this.thread = thread;
        this.tiedToThread = tiedToThread;
        this.longestSpan = leaseNanos();
    }

    public LockKey key() {
        return key;
    }

    /** The id of the acquisition; see {@link #hold} for that of the hold in Redis. */
    public AcquisitionId id() {
        return id;
    }

    public LockOptions options() {
        return options;
    }

    /** The thread that holds it: interrupted on loss, and shown when the lease is held for long; null if none does. */
    @Nullable
    public Thread thread() {
        return thread;
    }

    /** Returns whether the lease ends with its thread, because it was acquired through {@code Lock}. */
    public boolean tiedToThread() {
        return tiedToThread;
    }

    public OwnerKey owner() {
        return named == null ? OwnerKey.anonymous(id) : named;
    }

    public boolean ofNamedOwner() {
        return named != null;
    }

    /** Whether replicas are to have it: then it shares its hold with no other lease, and is not handed on to one. */
    public boolean durable() {
        return options.durability().enabled();
    }

    public long leaseNanos() {
        return options.leaseTime().toNanos();
    }

    /** From here on it is renewed whatever its holder wants, who does not have it yet. */
    public void gather() {
        gathering = true;
    }

    /** Its holder has it. Returns whether it had to wait for others until now. */
    public boolean gathered() {
        boolean before = gathering;
        gathering = false;
        return before;
    }

    public boolean gathering() {
        return gathering;
    }

    /** How it is renewed at present. */
    public Renewal renewal() {
        return gathering ? Renewal.whileHeld() : options.renewal();
    }

    public LossNotice notice() {
        LossNotice there = notice;
        if (there == null) {
            NOTICE.compareAndSet(this, null, new LossNotice());
            there = notice;
        }
        return Objects.requireNonNull(there);
    }

    /** Redis granted it: {@code sentAt} and the surplus of clocks are those of the request that was answered. */
    public Transition granted(long grantedToken, long sentAt, long leftNanos, long surplusAtSend) {
        token = grantedToken;
        grantedAt = sentAt;
        return update(LeaseEvent.GRANTED, sentAt, Validity.span(leaseNanos(), leftNanos), surplusAtSend, 0);
    }

    /** Redis made the hold of another lease its own, with this token. */
    public void granted(LeaseRecord from, long grantedToken, long sentAt, long span, long surplusAtSend) {
        tenure = new ProcessHold(from, grantedToken, sentAt);
        copiesUntil = from.copiesUntil;
        longestSpan = Math.max(longestSpan, span);
        token = grantedToken;
        grantedAt = sentAt;
        update(LeaseEvent.GRANTED, sentAt, span, surplusAtSend, 0);
    }

    /**
     * The lock was handed to it by another lease of this process. Applied by whoever hands it on and by whoever receives
     * it, whichever comes first; the second changes nothing.
     */
    public void handed(LocalGrant grant) {
        Snapshot before = snapshot;
        if (before.state != LeaseState.ACQUIRING) {
            return;
        }
        token = grant.token();
        grantedAt = grant.at();
        tenure = grant.tenure();
        copiesUntil = grant.copiesUntil();
        LeaseState next = Transitions.next(before.state, LeaseEvent.GRANTED);
        SNAPSHOT.compareAndSet(
                this, before, new Snapshot(next, grant.end(), grant.validUntil(), grant.surplusBase(), 0));
    }

    /** Redis has reserved tokens up to this one for those to whom it hands the lock on: a run begins. */
    public ProcessHold reserved(long lastToken, long sentAt) {
        ProcessHold of = tenure;
        if (of == null) {
            of = new ProcessHold(this, lastToken, sentAt);
            tenure = of;
        } else {
            of = Objects.requireNonNull(of.run());
            of.goesOn(lastToken, sentAt);
        }
        return of;
    }

    /** Whether the lock may go from it to another lease: of a hold that readers share, from the last of them. */
    public boolean handsOn() {
        ProcessHold of = tenure;
        return of == null ? key.kind().handsOn() : of.run() != null;
    }

    /** What is left of the hold for those who share it; from here on it is shared. */
    public LocalGrant shared(SharedReadHold reading) {
        Snapshot last = snapshot;
        tenure = reading;
        return new LocalGrant(reading, token, grantedAt, last.end, last.validUntil, last.surplusBase, copiesUntil);
    }

    /** The hold that it shares with other readers; null if it is its own. */
    @Nullable
    public SharedReadHold reading() {
        return tenure instanceof SharedReadHold reading ? reading : null;
    }

    /** The lease that has the hold by now, if this one has handed it on; else itself. */
    public LeaseRecord present() {
        ProcessHold of = tenure;
        return of == null ? this : of.present(this);
    }

    /** Redis does not know the hold any more: returns the lease that has lost it, and nobody takes the lock over any more. */
    public LeaseRecord denied(LossCause cause) {
        ProcessHold of = tenure;
        if (of != null) {
            of.deny(cause);
        }
        return present();
    }

    /** The id under which Redis knows the hold: its own, unless the lock was handed to it. */
    public AcquisitionId hold() {
        ProcessHold of = tenure;
        return of == null ? id : of.hold();
    }

    /** What is left of the hold for the next lease; null if it may not be handed on without asking Redis. */
    @Nullable
    public LocalGrant next(long now, long surplus) {
        ProcessHold there = tenure;
        ProcessHold of = there == null ? null : there.run();
        if (of == null || !of.runs(token + 1, now)) {
            return null;
        }
        Snapshot last = snapshot;
        LocalGrant grant = new LocalGrant(of, token + 1, now, last.end, last.validUntil, last.surplusBase, copiesUntil);
        return grant.covers(options, now, surplus) ? grant : null;
    }

    /** Redis confirmed that the hold lasts for at least so long from the moment the request was sent. */
    public Transition confirmed(long sentAt, long spanNanos, long surplusAtSend, boolean counts) {
        return update(LeaseEvent.CONFIRMED, sentAt, spanNanos, surplusAtSend, counts ? 1 : 0);
    }

    private Transition update(LeaseEvent event, long sentAt, long span, long surplusAtSend, int renewals) {
        while (true) {
            Snapshot before = snapshot;
            LeaseState next = Transitions.next(before.state, event);
            Snapshot after = next == LeaseState.HELD
                    ? later(before, sentAt, span, surplusAtSend, renewals)
                    : new Snapshot(next, before.end, before.validUntil, before.surplusBase, before.renewals);
            if (SNAPSHOT.compareAndSet(this, before, after)) {
                return new Transition(before.state, next);
            }
        }
    }

    /** No script lowers an end, so what an earlier answer promised stays true: the later of both counts. */
    private static Snapshot later(Snapshot before, long sentAt, long span, long surplusAtSend, int renewals) {
        int count = before.renewals + renewals;
        long end = sentAt + span;
        long validUntil = end - Validity.drift(span);
        boolean first = before.state == LeaseState.ACQUIRING;
        long earlier = before.validUntil - (surplusAtSend - before.surplusBase);
        if (!first && earlier - validUntil > 0) {
            long surplus = surplusAtSend - before.surplusBase;
            return new Snapshot(LeaseState.HELD, before.end - surplus, earlier, surplusAtSend, count);
        }
        return new Snapshot(LeaseState.HELD, end, validUntil, surplusAtSend, count);
    }

    /** Its holder gives it back: from here on no interrupt. */
    public Transition releaseCalled() {
        return notice().release(() -> apply(LeaseEvent.RELEASE_CALLED));
    }

    public Transition apply(LeaseEvent event) {
        while (true) {
            Snapshot before = snapshot;
            LeaseState next = Transitions.next(before.state, event);
            Snapshot after = new Snapshot(next, before.end, before.validUntil, before.surplusBase, before.renewals);
            if (next == before.state || SNAPSHOT.compareAndSet(this, before, after)) {
                return new Transition(before.state, next);
            }
        }
    }

    @Nullable
    public PlannedTimer timer() {
        return timer;
    }

    /** Replaces one wake-up, null if there is none, by another. Returns false, and does nothing, if it is not there any more. */
    public boolean replaceTimer(@Nullable PlannedTimer before, @Nullable PlannedTimer next) {
        return TIMER.compareAndSet(this, before, next);
    }

    /** Nothing is planned for it any more. */
    public void cancelTimer() {
        PlannedTimer before = TIMER.getAndSet(this, null);
        if (before != null) {
            before.cancel();
        }
    }

    /** Whether a request to renew it is on its way. */
    public boolean renewing() {
        return renewing != null;
    }

    /** Notes that a request is on its way; false if one is already. */
    public boolean begins(Object request) {
        return RENEWING.compareAndSet(this, null, request);
    }

    /** Notes that a request is over. */
    public void ends(Object request) {
        RENEWING.compareAndSet(this, request, null);
    }

    /** Who hears of its end besides the listeners; null if nobody does. */
    public void observedBy(@Nullable LeaseObserver leaseObserver) {
        observer = leaseObserver;
    }

    @Nullable
    public LeaseObserver observer() {
        return observer;
    }

    /** It is about to be told that it is held. */
    public void reportedHeld() {
        reportedHeld = true;
        span = Flight.holding();
    }

    /** Whether it was told that it is held. */
    public boolean wasReportedHeld() {
        return reportedHeld;
    }

    /** It is about to be told that it is released. */
    public void reportedReleased() {
        reportedReleased = true;
        endRecording("RELEASED");
    }

    /** Whether it was told that it is released. */
    public boolean wasReportedReleased() {
        return reportedReleased;
    }

    /** Its end is about to be told; for a recording that has seen its beginning. */
    public void endRecording(String how) {
        Span holding = span;
        if (holding != null) {
            span = null;
            holding.over(key, how, token, renewals());
        }
    }

    public LeaseState state() {
        return snapshot.state;
    }

    /** Whether it is held in some way: the watchdog has work with it. */
    public boolean holding() {
        return switch (state()) {
            case HELD, UNCONFIRMED, SUSPECT -> true;
            case ACQUIRING, UNKNOWN, RELEASING, RELEASED, LOST -> false;
        };
    }

    /** The deadline, shortened by what the clocks disagreed since the last confirmation. */
    public long validUntil(long surplus) {
        Snapshot now = snapshot;
        return now.validUntil - (surplus - now.surplusBase);
    }

    /** When it is to be renewed, by the monotonic clock. */
    public long renewDueAt() {
        return renewDueAt;
    }

    /** When Redis is asked about it next, by the monotonic clock. */
    public long nextTryAt() {
        return nextTryAt;
    }

    /** Plans its renewal. */
    public void renewAt(long dueAt) {
        renewDueAt = dueAt;
        nextTryAt = dueAt;
    }

    /** Plans another try after a renewal that got no answer. */
    public void retryAt(long tryAt) {
        nextTryAt = tryAt;
    }

    /** Records that the clocks disagree since this moment: Redis is to be asked at once. */
    public void suspectedAt(long now) {
        nextTryAt = now;
        suspectSince = now;
    }

    /** Returns whether no warning is due because it is held for long. */
    public boolean warnedLong() {
        return warnedLong;
    }

    /** From here on no warning is due because it is held for long. */
    public void warnLongNoMore() {
        warnedLong = true;
    }

    /** Returns whether another process may take it over; then it is not handed off within this one. */
    public boolean exported() {
        return exported;
    }

    public void exported(boolean whether) {
        exported = whether;
    }

    /** The longest time in ns for which it was ever asked: no copy of a request makes the hold last longer. */
    public long longestSpan() {
        return longestSpan;
    }

    public void askedFor(long span) {
        longestSpan = Math.max(longestSpan, span);
    }

    /** Why its renewal has stopped; null if it has not. */
    @Nullable
    public LossCause renewalStopped() {
        return renewalStopped;
    }

    public void stopRenewal(LossCause cause) {
        renewalStopped = cause;
    }

    /** Tells whether its handle is still reachable; null if its thread holds it. */
    @Nullable
    public Reachability reachability() {
        return reachability;
    }

    public void watch(Reachability handle) {
        reachability = handle;
    }

    /** Until when a second copy of the acquire could be granted; NONE if only one was sent. */
    public ServerTime copiesUntil() {
        return copiesUntil;
    }

    /** Records that a second copy of the acquire could be granted until then. */
    public void copyUntil(ServerTime until) {
        copiesUntil = copiesUntil.orLater(until);
    }

    /** Returns whether the lease is still to be renewed. */
    public boolean renews() {
        return renewalStopped == null && renewals() < renewal().times();
    }

    /**
     * Returns when the lease counts as lost unless it is confirmed before: at its deadline. The deadline of a suspect lease is
     * shortened by what the clocks disagree, but Redis has one command timeout to answer that it was a mere step of the clock;
     * the holder cannot rely on the lease meanwhile.
     */
    public long lossAt(long surplus, long commandNanos) {
        long deadline = validUntil(surplus);
        if (state() != LeaseState.SUSPECT) {
            return deadline;
        }
        long grace = suspectSince + commandNanos;
        long graced = deadline - grace > 0 ? deadline : grace;
        return fullDeadline() - graced < 0 ? fullDeadline() : graced;
    }

    /** The deadline as it was confirmed, whatever the clocks did since. */
    public long fullDeadline() {
        return snapshot.validUntil;
    }

    /** Whether the clocks disagree by more than the drift that the lease allows for anyway. */
    public boolean suspicious(long surplus) {
        Snapshot now = snapshot;
        return surplus - now.surplusBase > Validity.drift(leaseNanos());
    }

    public long end() {
        return snapshot.end;
    }

    public int renewals() {
        return snapshot.renewals;
    }

    public long token() {
        return token;
    }

    public long grantedAt() {
        return grantedAt;
    }
}
