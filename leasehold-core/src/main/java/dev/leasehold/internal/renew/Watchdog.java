package dev.leasehold.internal.renew;

import dev.leasehold.event.LossCause;
import dev.leasehold.internal.lease.LeaseEvent;
import dev.leasehold.internal.lease.LeaseEvents;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseState;
import dev.leasehold.internal.lease.LeaseTable;
import dev.leasehold.internal.lease.LeaseTermination;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after all leases: decides when each is renewed, warns of long holds, and declares a lease lost whose deadline has
 * passed. Runs on the timer's thread, so that a node that does not answer delays no decision; the lane does the sending.
 */
public final class Watchdog {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.leases");
    private static final int LONG_HOLD_LEASES = 10;
    private static final long COMPARE_CLOCKS_NANOS = 250_000_000;

    private final RequestContext context;
    private final LeaseTable leases;
    private final LeaseEvents events;
    private final LeaseTermination termination;
    /** What the moments of renewal are counted from. */
    private final long origin;

    private @Nullable Renewer renewer;

    public Watchdog(RequestContext context, LeaseTable leases, LeaseEvents events, LeaseTermination termination) {
        this.context = context;
        this.leases = leases;
        this.events = events;
        this.termination = termination;
        this.origin = context.now();
    }

    /** Begins to renew by this renewer, and to compare the clocks from time to time. */
    public void start(Renewer leaseRenewer) {
        renewer = leaseRenewer;
        context.clocks().onJump(this::suspectAll);
        compareClocksLater();
    }

    private void compareClocksLater() {
        Timer.Timeout unused = context.timer()
                .schedule(
                        () -> {
                            if (!context.closed()) {
                                context.checkClocks();
                                compareClocksLater();
                            }
                        },
                        COMPARE_CLOCKS_NANOS);
    }

    /** A lease was granted or confirmed: plans its next renewal. */
    public void confirmed(LeaseRecord record) {
        // The clocks may have jumped while the request was on its way.
        long surplus = context.checkClocks();
        planRenewal(record);
        suspect(record, surplus);
        schedule(record, surplus);
    }

    private void planRenewal(LeaseRecord record) {
        double ratio = record.renewal().ratio();
        if (record.timer() instanceof LeaseTimer planned
                && RenewalSchedule.fits(planned.at, record.end(), record.leaseNanos(), ratio)) {
            // Whoever is woken then anyway is renewed then: a wake-up more for each renewal would double their number.
            record.renewAt(planned.at);
        } else {
            record.renewAt(dueAt(record, record.end(), context.jitter()));
        }
    }

    private long dueAt(LeaseRecord record, long end, double jitter) {
        return RenewalSchedule.dueAt(end, record.leaseNanos(), record.renewal().ratio(), jitter, origin);
    }

    /** A renewal got no answer: plans another try. */
    void unanswered(LeaseRecord record) {
        record.retryAt(context.now() + RenewalSchedule.retryDelay(record.leaseNanos(), context.jitter()));
        schedule(record, context.surplus());
    }

    /**
     * After a suspension of the machine or a step of a clock, all leases that it concerns become suspect, and Redis is asked
     * about them at once.
     */
    private void suspectAll(long surplus) {
        for (LeaseRecord record : leases.all()) {
            if (suspect(record, surplus)) {
                schedule(record, surplus);
            }
        }
    }

    private boolean suspect(LeaseRecord record, long surplus) {
        if (!record.holding() || !record.suspicious(surplus)) {
            return false;
        }
        long now = context.now();
        record.suspectedAt(now);
        if (record.apply(LeaseEvent.CLOCK_JUMPED).became(LeaseState.SUSPECT)) {
            LOG.warn("the clocks of this machine jumped: asking Redis about the lease of lock {}", record.key());
        }
        return true;
    }

    /**
     * Plans the one wake-up of a lease. Two threads may plan at once, each on what it has just changed; so whoever was
     * the last to plan looks again whether something is due sooner by now.
     */
    private void schedule(LeaseRecord record, long surplus) {
        double jitter = context.jitter();
        while (record.holding()) {
            long needed = nextWakeUp(record, surplus, jitter);
            LeaseTimer before = (LeaseTimer) record.timer();
            if (before != null && before.at - needed <= 0) {
                // It is woken no later than it must be, and planned anew then.
                return;
            }
            LeaseTimer next = new LeaseTimer(this, record, needed);
            if (record.replaceTimer(before, next)) {
                if (before != null) {
                    before.cancel();
                }
                next.schedule();
            }
        }
    }

    private long nextWakeUp(LeaseRecord record, long surplus, double jitter) {
        long next = record.lossAt(surplus, context.commandNanos());
        if (record.renewing() && record.renews()) {
            // When it will be renewed next if all goes well, which is sooner.
            next = earlier(next, dueAt(record, context.now() + record.leaseNanos(), jitter));
        } else if (asks(record)) {
            next = earlier(next, record.nextTryAt());
        }
        if (!record.warnedLong()) {
            next = earlier(next, warnAt(record));
        }
        Duration maxHold = record.options().maxHold();
        if (maxHold != null && record.renewalStopped() == null) {
            next = earlier(next, record.grantedAt() + maxHold.toNanos());
        }
        return next;
    }

    private static long earlier(long a, long b) {
        return a - b < 0 ? a : b;
    }

    private static long warnAt(LeaseRecord record) {
        return record.grantedAt() + LONG_HOLD_LEASES * record.leaseNanos();
    }

    /** The one wake-up of a lease that counts; one that was replaced does nothing. */
    static final class LeaseTimer implements LeaseRecord.PlannedTimer, Runnable {
        private final Watchdog watchdog;
        private final LeaseRecord record;
        final long at;
        private volatile Timer.@Nullable Timeout timeout;

        LeaseTimer(Watchdog watchdog, LeaseRecord record, long at) {
            this.watchdog = watchdog;
            this.record = record;
            this.at = at;
        }

        private void schedule() {
            RequestContext context = watchdog.context;
            timeout = context.timer().schedule(this, at - context.now());
            if (record.timer() != this) {
                // Replaced, or already due.
                cancel();
            }
        }

        @Override
        public void cancel() {
            Timer.Timeout scheduled = timeout;
            if (scheduled != null) {
                scheduled.cancel();
            }
        }

        @Override
        public void run() {
            if (record.replaceTimer(this, null)) {
                watchdog.wake(record);
            }
        }
    }

    /** Whether Redis is to be asked at the next try: to renew, or because the lease is suspect. */
    private boolean asks(LeaseRecord record) {
        return !record.renewing() && (record.renews() || record.state() == LeaseState.SUSPECT);
    }

    private void wake(LeaseRecord record) {
        if (!record.holding()) {
            return;
        }
        long surplus = context.checkClocks();
        long now = context.now();
        if (now - record.lossAt(surplus, context.commandNanos()) >= 0) {
            termination.expire(record);
            return;
        }
        checkLongHold(record, now);
        if (asks(record) && now - record.nextTryAt() >= 0) {
            stopIfNobodyHolds(record);
            if (asks(record)) {
                Objects.requireNonNull(renewer, "not started").renew(record);
            }
        }
        schedule(record, surplus);
    }

    private void checkLongHold(LeaseRecord record, long now) {
        Duration maxHold = record.options().maxHold();
        if (maxHold != null && record.renewalStopped() == null && now - record.grantedAt() >= maxHold.toNanos()) {
            stopRenewal(record, LossCause.EXPIRED);
            tellHeldLong(record, now, true);
        } else if (!record.warnedLong() && now - warnAt(record) >= 0) {
            record.warnLongNoMore();
            tellHeldLong(record, now, false);
        }
    }

    private void stopIfNobodyHolds(LeaseRecord record) {
        Thread thread = record.thread();
        if (record.tiedToThread() && thread != null && !thread.isAlive()) {
            stopRenewal(record, LossCause.THREAD_ENDED);
            LOG.warn(
                    "lock {} is not renewed any more: its thread has ended without unlocking. Unlock in a finally block",
                    record.key());
        }
        LeaseRecord.Reachability reachability = record.reachability();
        if (reachability != null && !reachability.reachable()) {
            stopRenewal(record, LossCause.ABANDONED);
            LOG.warn(
                    "a lease of lock {} became unreachable without a release and is not renewed any more. It was taken "
                            + "at {}. Use try-with-resources",
                    record.key(),
                    reachability.takenAt());
        }
    }

    private static void stopRenewal(LeaseRecord record, LossCause cause) {
        record.stopRenewal(cause);
    }

    private void tellHeldLong(LeaseRecord record, long now, boolean stops) {
        Duration held = Duration.ofNanos(now - record.grantedAt());
        events.run(() -> {
            List<StackTraceElement> stack = stackOf(record.thread());
            LOG.warn(
                    "lock {} has been held for {}{}; its holder is at {}",
                    record.key(),
                    held,
                    stops ? ", its maximum hold, and is not renewed any more" : "",
                    stack.isEmpty() ? "an unknown place" : stack.get(0));
            events.heldLong(record, held, stops, stack);
        });
    }

    private static List<StackTraceElement> stackOf(@Nullable Thread thread) {
        return thread == null || !thread.isAlive() ? List.of() : List.of(thread.getStackTrace());
    }
}
