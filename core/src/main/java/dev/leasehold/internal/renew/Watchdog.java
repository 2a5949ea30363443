package dev.leasehold.internal.renew;

import dev.leasehold.event.LossCause;
import dev.leasehold.internal.lease.LeaseEvent;
import dev.leasehold.internal.lease.LeaseEvents;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseState;
import dev.leasehold.internal.lease.LeaseTable;
import dev.leasehold.internal.lease.LeaseTermination;
import dev.leasehold.internal.lease.Reachability;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.time.TimeText;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches all leases: decides when each is renewed, warns of long holds, and declares a lease lost whose deadline has passed.
 * It runs on the timer's thread, so that a node that does not answer delays no decision; the batch sender sends the requests.
 */
public final class Watchdog {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.leases");
    private static final int LONG_HOLD_LEASES = 10;
    private static final Pattern JDK = Pattern.compile("(java|javax|jdk|sun)\\.");
    private static final long COMPARE_CLOCKS_NANOS = 250_000_000;
    /** The age from which Redis tracks the key of a lease. Most leases are shorter, and cost nothing more. */
    private static final long TRACKED_AFTER_NANOS = 100_000_000;

    private final RequestContext context;
    private final LeaseTable leases;
    private final LeaseEvents events;
    private final LeaseTermination termination;
    /** The origin from which the moments of renewals are counted. */
    private final long origin;

    private final LeaseTimers timers;

    private @Nullable Renewer renewer;
    private volatile boolean tracks;
    private volatile Runnable onJump = () -> {};

    public Watchdog(RequestContext context, LeaseTable leases, LeaseEvents events, LeaseTermination termination) {
        this.context = context;
        this.leases = leases;
        this.events = events;
        this.termination = termination;
        this.origin = context.now();
        this.timers = new LeaseTimers(context, origin, this::wake);
    }

    /** Begins to renew by this renewer, and to compare the clocks four times a second. */
    public void start(Renewer leaseRenewer) {
        renewer = leaseRenewer;
        context.clocks().onJump(this::suspectAll);
        compareClocksLater();
    }

    /** From now on, a lease is checked once it has reached some age, so that Redis tracks its key. */
    public void trackKeys() {
        tracks = true;
    }

    /** Sets an action that adds leases to the table before those that a jump of a clock affects become suspect. */
    public void beforeSuspicion(Runnable action) {
        onJump = action;
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

    /** Plans the next renewal of a lease that was granted or confirmed. */
    public void confirmed(LeaseRecord record) {
        // The clocks may have jumped while the request was in flight.
        long surplus = context.checkClocks();
        planRenewal(record);
        suspect(record, surplus);
        schedule(record, surplus);
    }

    private void planRenewal(LeaseRecord record) {
        double ratio = record.renewal().ratio();
        // An extended lease asks Redis as often as others: a failover may have lost the extension.
        long end = earlier(record.end(), context.now() + record.leaseNanos());
        if (record.plan().wakeUp() instanceof LeaseTimer planned
                && RenewalSchedule.fits(planned.at(), end, record.leaseNanos(), ratio)) {
            // The renewal uses the wake-up that is planned anyway: an extra wake-up for each renewal would double their
            // number.
            record.plan().renewAt(planned.at());
        } else {
            record.plan().renewAt(dueAt(record, end, context.jitter()));
        }
    }

    private long dueAt(LeaseRecord record, long end, double jitter) {
        return RenewalSchedule.dueAt(end, record.leaseNanos(), record.renewal().ratio(), jitter, origin);
    }

    /** Plans another try after a renewal without an answer. */
    void unanswered(LeaseRecord record) {
        record.plan().retryAt(context.now() + RenewalSchedule.retryDelay(record.leaseNanos(), context.jitter()));
        schedule(record, context.surplus());
    }

    /**
     * Makes all leases suspect that a suspension of the machine or a step of a clock affects, and plans an immediate request for
     * each.
     */
    private void suspectAll(long surplus) {
        onJump.run();
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
        record.plan().suspectedAt(now);
        if (record.apply(LeaseEvent.CLOCK_JUMPED).became(LeaseState.SUSPECT)) {
            LOG.warn("the clocks of this machine jumped: Redis has to confirm the lease of lock {}", record.key());
        }
        return true;
    }

    /**
     * Plans the one wake-up of a lease. Two threads may plan at once, each for its own change. So after planning, a thread checks
     * again whether an earlier wake-up is needed by now.
     */
    private void schedule(LeaseRecord record, long surplus) {
        double jitter = context.jitter();
        while (record.holding()) {
            long needed = timers.firesAt(nextWakeUp(record, surplus, jitter));
            LeaseTimer before = (LeaseTimer) record.plan().wakeUp();
            if (before != null && before.at() - needed <= 0) {
                // The planned wake-up is early enough, and plans the next one.
                return;
            }
            plan(record, before, timers.at(needed));
        }
    }

    private static void plan(LeaseRecord record, @Nullable LeaseTimer before, LeaseTimer next) {
        if (!record.plan().replaceWakeUp(before, next)) {
            return;
        }
        if (before != null) {
            before.cancel();
        }
        if (!next.add(record)) {
            // It has fired meanwhile.
            boolean unused = record.plan().replaceWakeUp(next, null);
        }
    }

    private long nextWakeUp(LeaseRecord record, long surplus, double jitter) {
        long next = record.lossAt(surplus, context.commandNanos());
        if (record.plan().inFlight() && record.renews()) {
            // The renewal after the one in flight, if that succeeds, is due before the loss.
            next = earlier(next, dueAt(record, context.now() + record.leaseNanos(), jitter));
        } else if (needsRequest(record)) {
            next = earlier(next, record.plan().nextTryAt());
        }
        if (!record.plan().longHoldReported() && !record.gathering()) {
            next = earlier(next, warnAt(record));
        }
        if (isToBeTracked(record)) {
            next = earlier(next, record.grantedAt() + TRACKED_AFTER_NANOS);
        }
        Duration maxHold = record.options().maxHold();
        if (maxHold != null && record.plan().stopped() == null && !record.gathering()) {
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

    private boolean isToBeTracked(LeaseRecord record) {
        return tracks && !record.plan().tracked();
    }

    /** Returns whether the next try sends a request: a renewal, or the confirmation of a suspect lease. */
    private boolean needsRequest(LeaseRecord record) {
        return !record.plan().inFlight() && (record.renews() || record.state() == LeaseState.SUSPECT);
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
        if (isToBeTracked(record) && now - record.grantedAt() - TRACKED_AFTER_NANOS >= 0) {
            renewer().check(record);
        }
        if (needsRequest(record) && now - record.plan().nextTryAt() >= 0) {
            stopIfHolderGone(record);
            if (needsRequest(record)) {
                renewer().renew(record);
            }
        }
        schedule(record, surplus);
    }

    private Renewer renewer() {
        return Objects.requireNonNull(renewer, "not started");
    }

    private void checkLongHold(LeaseRecord record, long now) {
        if (record.gathering()) {
            // Nobody has it yet.
            return;
        }
        Duration maxHold = record.options().maxHold();
        if (maxHold != null && record.plan().stopped() == null && now - record.grantedAt() >= maxHold.toNanos()) {
            record.plan().stop(LossCause.EXPIRED);
            reportLongHold(record, now, true);
        } else if (!record.plan().longHoldReported() && now - warnAt(record) >= 0) {
            record.plan().reportedLongHold();
            reportLongHold(record, now, false);
        }
    }

    private void stopIfHolderGone(LeaseRecord record) {
        LossCause gone = LeaseTermination.holderGone(record);
        if (gone == null) {
            return;
        }
        record.plan().stop(gone);
        Reachability reachability = record.reachability();
        if (reachability == null) {
            LOG.warn(
                    "lock {} is no longer renewed: its thread has ended without unlocking. Unlock in a finally block",
                    record.key());
        } else {
            LOG.warn(
                    "a lease of lock {} became unreachable without a release and is no longer renewed. It was acquired "
                            + "at {}. Use try-with-resources",
                    record.key(),
                    reachability.acquiredAt());
        }
    }

    private void reportLongHold(LeaseRecord record, long now, boolean stops) {
        Duration held = Duration.ofNanos(now - record.grantedAt());
        events.run(() -> {
            List<StackTraceElement> stack = stackOf(record.thread());
            LOG.warn(
                    "lock {} has been held for {}{}; its holder is at {}",
                    record.key(),
                    TimeText.of(held),
                    stops ? ", its maximum hold, and is no longer renewed" : "",
                    callSite(stack));
            events.heldLong(record, held, stops, stack);
        });
    }

    /** The innermost frame outside the JDK: every thread that waits is in the same method of the JDK. */
    static String callSite(List<StackTraceElement> stack) {
        return stack.stream()
                .filter(frame -> !JDK.matcher(frame.getClassName()).lookingAt())
                .findFirst()
                .or(() -> stack.stream().findFirst())
                .map(StackTraceElement::toString)
                .orElse("an unknown call site");
    }

    private static List<StackTraceElement> stackOf(@Nullable Thread thread) {
        return thread == null || !thread.isAlive() ? List.of() : List.of(thread.getStackTrace());
    }
}
