package dev.leasehold.internal.retain;

import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.TokenFloors;
import dev.leasehold.internal.request.BatchSender;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.wakeup.WakeListener;
import dev.leasehold.spi.Timer;

/**
 * Checks each retained hold four times in the time for which it is retained: extends it if it was used, releases it if it was not,
 * and leaves a lease that is held for longer to the watchdog. Runs on the timer's thread, except {@link #taken}, and calls no
 * transport.
 */
final class RetentionTimer {

    private static final int CHECKS = 4;

    /** The rest of a hold that is not waited for: about two ticks of the timer. */
    private static final long REST_NANOS = 20_000_000;

    private final RequestContext context;
    private final BatchSender sender;
    private final RetainedHolds holds;
    private final TokenFloors floors;
    private final WakeListener wakeUps;

    RetentionTimer(
            RequestContext context, BatchSender sender, RetainedHolds holds, TokenFloors floors, WakeListener wakeUps) {
        this.context = context;
        this.sender = sender;
        this.holds = holds;
        this.floors = floors;
        this.wakeUps = wakeUps;
    }

    /** Begins to check a hold, until its retention is over. */
    void begin(RetainedHold hold) {
        schedule(hold, context.now());
    }

    /** A lease took the hold over. If half of its time is over, it is extended now: at the next check too little may be left. */
    void taken(RetainedHold hold, long now) {
        if (hold.end() - now <= hold.retainNanos() / 2) {
            extend(hold);
        }
    }

    private void extend(RetainedHold hold) {
        if (hold.beginRequest()) {
            sender.submit(new LongerRetention(context, holds, floors, wakeUps, hold));
        }
    }

    private void schedule(RetainedHold hold, long now) {
        if (hold.over()) {
            return;
        }
        long delay = hold.retainNanos() / CHECKS;
        if (hold.idle()) {
            // Not at once: it may be due only when a request in flight is answered.
            delay = Math.min(delay, Math.max(delay / 8, releaseAt(hold) - now));
        } else {
            // The extension may get no answer, and the watchdog does not know the lease: its loss is found here.
            delay = Math.min(delay, Math.max(0, hold.validUntil(context.surplus()) - now));
        }
        Timer.Timeout unused = context.timer().schedule(() -> check(hold), delay);
    }

    private long releaseAt(RetainedHold hold) {
        long valid = hold.validUntil(context.surplus());
        long retained = hold.usedUntil() + hold.retainNanos();
        return (valid - retained < 0 ? valid : retained) - REST_NANOS;
    }

    private void check(RetainedHold hold) {
        if (hold.over()) {
            return;
        }
        long now = context.now();
        LeaseRecord user = hold.user();
        if (user != null && !user.holding()) {
            // The lease was lost, given back, downgraded or exported, and its hold ends with it or outlives it.
            if (hold.detach(user)) {
                holds.remove(hold);
            }
        } else if (user != null && isForTheWatchdog(hold, user, now)) {
            holds.adopt(hold, user);
        } else if (needsMore(hold, now)) {
            extend(hold);
        } else if (user == null && releaseAt(hold) - now <= 0) {
            holds.giveUp(hold);
        }
        schedule(hold, now);
    }

    private boolean isForTheWatchdog(RetainedHold hold, LeaseRecord user, long now) {
        return now - user.grantedAt() >= hold.retainNanos() / CHECKS / 2
                || now - hold.validUntil(context.surplus()) >= 0;
    }

    /** Returns whether the hold was used so much later than Redis was asked that an extension is worth a request. */
    private static boolean needsMore(RetainedHold hold, long now) {
        long left = hold.end() - now;
        long gain = hold.spanFrom(now) - left;
        // At every other check of a hold that is in constant use.
        return left <= hold.retainNanos() * 5 / 8 && gain >= hold.retainNanos() / 8;
    }
}
