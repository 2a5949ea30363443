package dev.leasehold.internal.renew;

import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.request.RequestContext;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The timers of leases. Leases that are to be woken within the same few ms share a timer, so that a wake-up of one of a hundred
 * thousand costs a place in a list. Safe for use by any thread.
 */
final class LeaseTimers {

    /** All timers are due at multiples of this, counted from the origin; a wake-up may be late by as much. */
    private static final long STEP_NANOS = 5_000_000;

    private final RequestContext context;
    private final long origin;
    private final Consumer<LeaseRecord> wake;
    private final Map<Long, LeaseTimer> byMoment = new ConcurrentHashMap<>();

    LeaseTimers(RequestContext context, long origin, Consumer<LeaseRecord> wake) {
        this.context = context;
        this.origin = origin;
        this.wake = wake;
    }

    /** Returns when a lease is woken that is to be woken at this moment, or at once if that has passed. */
    long firesAt(long moment) {
        long now = context.now();
        long earliest = moment - now > 0 ? moment : now;
        return earliest + Math.floorMod(origin - earliest, STEP_NANOS);
    }

    /** Returns the timer that fires at this moment. It may have fired when the caller uses it. */
    LeaseTimer at(long firesAt) {
        Long at = firesAt;
        LeaseTimer known = byMoment.get(at);
        if (known != null) {
            return known;
        }
        LeaseTimer created = new LeaseTimer(this, firesAt);
        LeaseTimer earlier = byMoment.putIfAbsent(at, created);
        if (earlier != null) {
            return earlier;
        }
        try {
            created.start(context.timer().schedule(created, firesAt - context.now()));
        } catch (RuntimeException | Error e) {
            // It would never fire.
            remove(created);
            throw e;
        }
        return created;
    }

    long now() {
        return context.now();
    }

    void wake(LeaseRecord record) {
        wake.accept(record);
    }

    void remove(LeaseTimer timer) {
        byMoment.remove(timer.at(), timer);
    }
}
