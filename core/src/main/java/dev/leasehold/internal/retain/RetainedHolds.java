package dev.leasehold.internal.retain;

import dev.leasehold.event.LossCause;
import dev.leasehold.event.RetentionOutcome;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.lease.LeaseEvent;
import dev.leasehold.internal.lease.LeaseEvents;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseTable;
import dev.leasehold.internal.lease.LeaseTermination;
import dev.leasehold.internal.renew.Watchdog;
import dev.leasehold.internal.request.BatchSender;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.time.ExpiringMap;
import dev.leasehold.internal.wakeup.WakeListener;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The holds that this client retains, by lock, and the locks that other clients asked for. Every end of a retention is here: the
 * hold is released in the background, or its lease is renewed by the watchdog from then on. A hold is removed only after its release
 * or its lease is recorded elsewhere, so that a client that closes waits for it. Safe for use by any thread.
 */
final class RetainedHolds implements WakeListener.Retainer {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.leases");

    /** After another client asked for a lock, its holds are not retained for so long: each would cost a request more. */
    private static final long PAUSE_NANOS = 1_000_000_000;

    private final RequestContext context;
    private final BatchSender sender;
    private final LeaseTable leases;
    private final LeaseEvents events;
    private final LeaseTermination termination;
    private final Watchdog watchdog;
    private final Map<LockKey, RetainedHold> byKey = new ConcurrentHashMap<>();
    private final ExpiringMap<LockKey, Long> askedAt;

    RetainedHolds(
            RequestContext context,
            BatchSender sender,
            LeaseTable leases,
            LeaseEvents events,
            LeaseTermination termination,
            Watchdog watchdog) {
        this.context = context;
        this.sender = sender;
        this.leases = leases;
        this.events = events;
        this.termination = termination;
        this.watchdog = watchdog;
        this.askedAt = new ExpiringMap<>(context.timer(), context::now, at -> at + PAUSE_NANOS);
    }

    /** The hold of a lock that is retained; null if there is none. */
    @Nullable
    RetainedHold of(LockKey key) {
        return byKey.get(key);
    }

    /** Retains a hold from now on, by a request that was sent at that moment. */
    void add(RetainedHold hold, long sentAt) {
        events.retained(hold, hold.key());
        RetainedHold before = byKey.put(hold.key(), hold);
        if (before != null && !claim(before, RetentionOutcome.LOST)) {
            // Redis granted another hold, so that one has ended. A lease that uses it learns that by its renewal;
            // a lease that a thread is about to create, by the next check of its hold.
            LeaseRecord user = before.user();
            if (user != null) {
                adopt(before, user);
            }
        }
        // A message may have arrived before the answer to the request, and the client may have been closed.
        Long asked = askedAt.get(hold.key());
        if (context.closed() || (asked != null && asked - sentAt >= 0)) {
            hold.ask();
            giveUp(hold);
        }
    }

    /** Returns whether no other client has asked for the lock recently. */
    boolean mayRetain(LockKey key, long now) {
        Long asked = askedAt.get(key);
        return asked == null || now - asked >= PAUSE_NANOS;
    }

    @Override
    public void asked(LockKey key) {
        long now = context.now();
        // In this order, and add(...) in the other: so one of both sees the other.
        askedAt.put(key, now);
        RetainedHold hold = byKey.get(key);
        if (hold != null) {
            hold.ask();
            giveUp(hold);
        }
    }

    /** Releases a hold in the background if no lease uses it. */
    void giveUp(RetainedHold hold) {
        if (claim(hold, RetentionOutcome.RELEASED)) {
            release(hold);
        }
    }

    /** Ends the retention of an idle hold, and reports it; the caller, if this returns true, releases it unless it is lost. */
    boolean claim(RetainedHold hold, RetentionOutcome outcome) {
        boolean claimed = hold.claim();
        if (claimed) {
            events.retentionEnded(hold, hold.key(), outcome);
        }
        return claimed;
    }

    /** Releases a hold whose retention has ended, in the background. */
    void release(RetainedHold hold) {
        // A holder of this process gets the lock by a request, on a thread that knows nothing of the last holder.
        leases.beforeRelease();
        new RetainedRelease(context, sender, hold).begin();
        remove(hold);
    }

    /** Ends the retention of a hold that Redis no longer has; the lease that uses it, if any, is lost. */
    void lost(RetainedHold hold, LossCause cause, @Nullable String detail) {
        LeaseRecord last = hold.process().lost(cause);
        if (claim(hold, RetentionOutcome.LOST)) {
            LOG.debug("Redis no longer has the retained hold of lock {}, which nobody uses", hold.key());
        }
        remove(hold);
        // Has no effect on a lease that was released.
        termination.disown(last, LeaseEvent.DISOWNED, cause, detail);
    }

    /** Ends the retention of a hold that this lease uses: the watchdog renews the lease from now on. */
    void adopt(RetainedHold hold, LeaseRecord user) {
        if (hold.detach(user)) {
            leases.add(user);
            watchdog.confirmed(user);
            becameOrdinary(hold, user);
        }
    }

    /** Ends the retention of a hold whose lease is released next, like any other. */
    void detach(RetainedHold hold, LeaseRecord user) {
        if (hold.detach(user)) {
            leases.add(user);
            becameOrdinary(hold, user);
        }
    }

    private void becameOrdinary(RetainedHold hold, LeaseRecord user) {
        if (!user.holding()) {
            // Its end may have come before it was in the table.
            leases.forget(user);
        }
        remove(hold);
    }

    /** Ends the retention of every hold: idle ones are released, and the leases of the others become ordinary ones. */
    void endAll(boolean alsoIdle) {
        for (RetainedHold hold : byKey.values()) {
            LeaseRecord user = hold.user();
            if (user != null) {
                adopt(hold, user);
            }
            if (alsoIdle) {
                giveUp(hold);
            }
        }
    }

    boolean isEmpty() {
        return byKey.isEmpty();
    }

    void remove(RetainedHold hold) {
        byKey.remove(hold.key(), hold);
    }
}
