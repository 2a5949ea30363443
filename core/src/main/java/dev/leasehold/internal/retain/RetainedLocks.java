package dev.leasehold.internal.retain;

import dev.leasehold.LockOptions;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.RetentionOutcome;
import dev.leasehold.internal.jfr.Flight;
import dev.leasehold.internal.jfr.Span;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.lease.LeaseEvent;
import dev.leasehold.internal.lease.LeaseEvents;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseState;
import dev.leasehold.internal.lease.LeaseTable;
import dev.leasehold.internal.lease.LeaseTermination;
import dev.leasehold.internal.lease.TokenFloors;
import dev.leasehold.internal.lease.Validity;
import dev.leasehold.internal.renew.Watchdog;
import dev.leasehold.internal.request.BatchSender;
import dev.leasehold.internal.request.Operation;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.store.ContinueHandOff;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.time.WaitLimit;
import dev.leasehold.internal.wait.LocalHandOff;
import dev.leasehold.internal.wakeup.WakeListener;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Retained holds as acquisitions and releases use them. A release with {@code retainFor} asks Redis to retain its hold. The next
 * acquisition of the lock in this client takes the hold over, and its release leaves it, both without a request. Another client that
 * finds the lock held asks this one to release it. Safe for use by any thread.
 */
public final class RetainedLocks {

    private final RequestContext context;
    private final LeaseTable leases;
    private final LeaseEvents events;
    private final LeaseTermination termination;
    private final TokenFloors floors;
    private final LocalHandOff waiting;
    private final WakeListener wakeUps;
    private final RetainedHolds holds;
    private final RetentionTimer timer;

    public RetainedLocks(
            RequestContext context,
            BatchSender sender,
            LeaseTable leases,
            LeaseEvents events,
            LeaseTermination termination,
            TokenFloors floors,
            Watchdog watchdog,
            LocalHandOff waiting,
            WakeListener wakeUps) {
        this.context = context;
        this.leases = leases;
        this.events = events;
        this.termination = termination;
        this.floors = floors;
        this.waiting = waiting;
        this.wakeUps = wakeUps;
        this.holds = new RetainedHolds(context, sender, leases, events, termination, watchdog);
        this.timer = new RetentionTimer(context, sender, holds, floors, wakeUps);
        wakeUps.retainer(holds);
        watchdog.beforeSuspicion(() -> holds.endAll(false));
    }

    /** Takes over the retained hold of a lock, without a request; null if there is none that a lease with these options may have. */
    @Nullable
    public LeaseRecord take(LockKey key, LockOptions options, @Nullable Thread thread, boolean tied) {
        RetainedHold hold = options.retainFor() == null ? null : holds.of(key);
        if (hold == null) {
            return null;
        }
        Span acquiring = Flight.acquisition();
        LeaseRecord record = hold.take(context, options, thread, tied);
        if (record == null) {
            if (context.closed()) {
                // The closing may have met this try.
                holds.giveUp(hold);
            }
            return null;
        }
        events.retentionEnded(hold, key, RetentionOutcome.REUSED);
        LossCause denied = hold.process().handedTo(record);
        if (denied != null) {
            termination.disown(record, LeaseEvent.DISOWNED, denied, null);
        } else if (context.closed()) {
            // The closing may have missed it.
            boolean detached = hold.detach(record);
            termination.giveBack(record);
            if (detached) {
                holds.remove(hold);
            }
            return null;
        }
        timer.taken(hold, record.grantedAt());
        if (acquiring != null) {
            acquiring.over(key, "ACQUIRED", record.token(), 0);
        }
        record.observedBy(events.trace(key));
        events.acquired(record, Duration.ZERO, 0, true);
        return record;
    }

    /**
     * Returns the acquisition, preceded by the release of a retained hold that it could not take over. If its lease may be retained,
     * the client begins to receive wake-ups.
     */
    public <T> Operation<T> before(LockKey key, LockOptions options, WaitLimit limit, Operation<T> acquisition) {
        if (options.retainFor() != null) {
            boolean unused = wakeUps.ensureSubscribed();
        }
        RetainedHold hold = holds.of(new LockKey(key.key()));
        if (hold == null || !holds.claim(hold, RetentionOutcome.RELEASED)) {
            return acquisition;
        }
        // Half of its time: so much is left for the acquisition itself.
        long most = limit.kind() == WaitLimit.Kind.TIMED ? limit.nanos() : context.commandNanos();
        long timeout = Math.min(most, context.commandNanos()) / 2;
        if (timeout < ReleaseFirst.LEAST_NANOS) {
            holds.release(hold);
            return acquisition;
        }
        return new ReleaseFirst<>(context, holds, hold, timeout, acquisition);
    }

    /** Releases a lease that took over a retained hold, without a request; false if its release needs one. */
    public boolean leave(LeaseRecord record) {
        RetainedHold hold = record.options().retainFor() == null ? null : holds.of(record.key());
        if (hold == null || !hold.usedBy(record)) {
            return false;
        }
        long now = context.now();
        if (!mayLeave(hold, record, now)) {
            holds.detach(hold, record);
            return false;
        }
        if (!hold.beginLeaving(record)) {
            return false;
        }
        if (!record.releaseCalled().became(LeaseState.RELEASING)) {
            hold.finish();
            holds.remove(hold);
            return false;
        }
        leases.beforeRelease();
        record.apply(LeaseEvent.RELEASE_CONFIRMED);
        events.released(record, true);
        events.retained(hold, hold.key());
        hold.left(now);
        if (hold.asked() || context.closed() || record.exported()) {
            holds.giveUp(hold);
        }
        return true;
    }

    /** Makes a lease that uses a retained hold an ordinary one, which the watchdog renews. */
    public void adopt(LeaseRecord record) {
        RetainedHold hold = holds.of(record.key());
        if (hold != null) {
            holds.adopt(hold, record);
        }
    }

    /** Returns whether the lease is held beyond doubt, nothing was asked of Redis for it, and nobody waits for its lock. */
    private boolean mayLeave(RetainedHold hold, LeaseRecord record, long now) {
        long surplus = context.surplus();
        return record.state() == LeaseState.HELD
                && !hold.asked()
                && !record.exported()
                && !record.plan().inFlight()
                && record.plan().wakeUp() == null
                && !record.sent().extended()
                && !record.suspicious(surplus)
                && now - record.validUntil(surplus) < 0
                && !waiting.isAwaited(record.key());
    }

    /** Returns whether Redis may be asked to retain the hold of a lease that is released and was held beyond doubt. */
    public boolean mayRetain(LeaseRecord record) {
        return record.options().retainFor() != null
                && record.key().kind() == LockKind.STANDARD
                && !record.ofNamedOwner()
                && !record.plan().inFlight()
                && holds.mayRetain(record.key(), context.now())
                && wakeUps.reachesWaiters();
    }

    /** The request to retain the hold of a lease that is released. */
    public ContinueHandOff.Retain request(LeaseRecord record, long timeoutNanos) {
        return new ContinueHandOff.Retain(
                record.key(),
                record.hold(),
                new LeaseSpan(RetainedHold.nanosOf(record.options())),
                record.lastToken(),
                wakeUps.channelOf(record.key()),
                false,
                timeoutNanos);
    }

    /**
     * Handles the answer to the request.
     *
     * @param released ends the lease; called before another lease may take the hold over
     * @return whether the hold is retained; otherwise it must be released
     */
    public boolean answered(
            LeaseRecord record, ContinueHandOff.Answer answer, long sentAt, long surplusAtSend, Runnable released) {
        if (answer.code() == ContinueHandOff.Code.WANTED) {
            holds.asked(record.key());
        }
        if (answer.code() != ContinueHandOff.Code.GOING) {
            return false;
        }
        long now = context.now();
        floors.seen(record.key(), record.token(), record.leaseNanos(), now);
        long span = Validity.span(RetainedHold.nanosOf(record.options()), answer.leftNanos());
        if (Validity.ended(now, sentAt, span, context.surplus() - surplusAtSend)) {
            return false;
        }
        RetainedHold hold = new RetainedHold(record, answer, sentAt, surplusAtSend, now);
        if (!hold.hasTokens(now)) {
            return false;
        }
        released.run();
        holds.add(hold, sentAt);
        timer.begin(hold);
        return true;
    }

    /**
     * Returns what ends the retained hold that this client has of a lock at this moment, if it has one: to be run once Redis has taken
     * the lock away from all its holders.
     */
    public Runnable onceTaken(LockKey key, String detail) {
        RetainedHold hold = holds.of(new LockKey(key.key()));
        return hold == null ? () -> {} : () -> holds.lost(hold, LossCause.DELETED, detail);
    }

    /** Returns whether this client retains a hold of the lock that no lease uses. */
    public boolean idle(LockKey key) {
        RetainedHold hold = holds.of(key);
        return hold != null && hold.idle();
    }

    /** Ends the retention of all holds, after the client was closed. A hold that a thread is just using is ended by that thread. */
    public void close() {
        holds.endAll(true);
    }

    /** Returns whether every hold that was retained is released, also if Redis has not answered yet, or belongs to a lease. */
    public boolean isEmpty() {
        return holds.isEmpty();
    }
}
