package dev.leasehold.internal.engine;

import dev.leasehold.event.HeldLongEvent;
import dev.leasehold.event.LossCause;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after all leases: decides when each is renewed, warns of long holds, and declares a lease lost whose deadline has
 * passed. Runs on the timer's thread, so that a node that does not answer delays no decision; the lane does the sending.
 */
final class Watchdog {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.leases");
    private static final int LONG_HOLD_LEASES = 10;
    private static final long LOOK_AT_CLOCKS_NANOS = 250_000_000;

    private final Engine engine;
    /** What the moments of renewal are counted from. */
    private final long origin;

    private volatile long lastSurplus;

    Watchdog(Engine engine) {
        this.engine = engine;
        this.origin = engine.time.nanoTime();
    }

    /** Begins to compare the clocks from time to time, whether or not anybody asks. */
    void start() {
        engine.timer.schedule(
                () -> {
                    if (!engine.closed()) {
                        checkClocks();
                        start();
                    }
                },
                LOOK_AT_CLOCKS_NANOS);
    }

    /** A lease was granted or confirmed: plans its next renewal. */
    void confirmed(LeaseRecord record) {
        // The clocks may have jumped while the request was on its way.
        long surplus = checkClocks();
        planRenewal(record);
        suspect(record, surplus);
        schedule(record, surplus);
    }

    private void planRenewal(LeaseRecord record) {
        double ratio = record.renewal().ratio();
        LeaseTimer planned = record.wakeUp();
        if (planned != null && RenewalSchedule.fits(planned.at, record.end(), record.leaseNanos(), ratio)) {
            // Whoever is woken then anyway is renewed then: a wake-up more for each renewal would double their number.
            record.renewDueAt = planned.at;
        } else {
            record.renewDueAt =
                    dueAt(record, record.end(), engine.parts.jitter().getAsDouble());
        }
        record.nextTryAt = record.renewDueAt;
    }

    private long dueAt(LeaseRecord record, long end, double jitter) {
        return RenewalSchedule.dueAt(end, record.leaseNanos(), record.renewal().ratio(), jitter, origin);
    }

    /** A renewal got no answer: plans another try. */
    void unanswered(LeaseRecord record) {
        record.nextTryAt = engine.time.nanoTime()
                + RenewalSchedule.retryDelay(
                        record.leaseNanos(), engine.parts.jitter().getAsDouble());
        schedule(record, engine.suspension.check());
    }

    /**
     * Compares the clocks; after a suspension or a step all leases that it concerns become suspect, and Redis is asked
     * about them at once.
     *
     * @return the sum of surpluses
     */
    long checkClocks() {
        long surplus = engine.suspension.check();
        if (surplus != lastSurplus) {
            for (LeaseRecord record : engine.records()) {
                if (suspect(record, surplus)) {
                    schedule(record, surplus);
                }
            }
        }
        lastSurplus = surplus;
        return surplus;
    }

    private boolean suspect(LeaseRecord record, long surplus) {
        if (!record.holding() || !record.suspicious(surplus)) {
            return false;
        }
        long now = engine.time.nanoTime();
        record.nextTryAt = now;
        record.suspectSince = now;
        if (record.apply(LeaseEvent.CLOCK_JUMPED).became(LeaseState.SUSPECT)) {
            LOG.warn("the clocks of this machine jumped: asking Redis about the lease of lock {}", record.key);
        }
        return true;
    }

    /**
     * When the lease counts as lost unless it is confirmed before: at its deadline. That of a suspect lease is shortened
     * by what the clocks disagree, but Redis is given one command time-out to say that it was a mere step of the clock;
     * nobody relies on the lease meanwhile.
     */
    long lossAt(LeaseRecord record, long surplus) {
        long deadline = record.validUntil(surplus);
        if (record.state() != LeaseState.SUSPECT) {
            return deadline;
        }
        long grace = record.suspectSince + engine.parts.limits().commandNanos();
        return earlier(record.fullDeadline(), deadline - grace > 0 ? deadline : grace);
    }

    /**
     * Plans the one wake-up of a lease. Two threads may plan at once, each on what it has just changed; so whoever was
     * the last to plan looks again whether something is due sooner by now.
     */
    private void schedule(LeaseRecord record, long surplus) {
        double jitter = engine.parts.jitter().getAsDouble();
        while (record.holding()) {
            long needed = nextWakeUp(record, surplus, jitter);
            LeaseTimer before = record.wakeUp();
            if (before != null && before.at - needed <= 0) {
                // It is woken no later than it must be, and planned anew then.
                return;
            }
            LeaseTimer next = new LeaseTimer(this, record, needed);
            if (record.wakeUpBy(before, next)) {
                if (before != null) {
                    before.cancel();
                }
                next.schedule();
            }
        }
    }

    private long nextWakeUp(LeaseRecord record, long surplus, double jitter) {
        long next = lossAt(record, surplus);
        if (record.renewing() && renews(record)) {
            // When it will be renewed next if all goes well, which is sooner.
            next = earlier(next, dueAt(record, engine.time.nanoTime() + record.leaseNanos(), jitter));
        } else if (asks(record)) {
            next = earlier(next, record.nextTryAt);
        }
        if (!record.warnedLong) {
            next = earlier(next, warnAt(record));
        }
        Duration maxHold = record.options.maxHold();
        if (maxHold != null && record.renewalStopped == null) {
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
    static final class LeaseTimer implements Runnable {
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
            Engine engine = watchdog.engine;
            timeout = engine.timer.schedule(this, at - engine.time.nanoTime());
            if (record.wakeUp() != this) {
                // Replaced, or already due.
                cancel();
            }
        }

        void cancel() {
            Timer.Timeout scheduled = timeout;
            if (scheduled != null) {
                scheduled.cancel();
            }
        }

        @Override
        public void run() {
            if (record.wakeUpBy(this, null)) {
                watchdog.wake(record);
            }
        }
    }

    /** Whether Redis is to be asked at the next try: to renew, or because the lease is suspect. */
    private boolean asks(LeaseRecord record) {
        return !record.renewing() && (renews(record) || record.state() == LeaseState.SUSPECT);
    }

    /** Whether the lease is still to be renewed. */
    boolean renews(LeaseRecord record) {
        return record.renewalStopped == null
                && record.renewals() < record.renewal().times();
    }

    private void wake(LeaseRecord record) {
        if (!record.holding()) {
            return;
        }
        long surplus = checkClocks();
        long now = engine.time.nanoTime();
        if (now - lossAt(record, surplus) >= 0) {
            engine.expire(record);
            return;
        }
        checkLongHold(record, now);
        if (asks(record) && now - record.nextTryAt >= 0) {
            stopIfNobodyHolds(record);
            RenewalRequest request = new RenewalRequest(engine, record);
            if (asks(record) && record.begins(request)) {
                engine.renewals.submit(request);
            }
        }
        schedule(record, surplus);
    }

    private void checkLongHold(LeaseRecord record, long now) {
        Duration maxHold = record.options.maxHold();
        if (maxHold != null && record.renewalStopped == null && now - record.grantedAt() >= maxHold.toNanos()) {
            stopRenewal(record, LossCause.EXPIRED);
            tellHeldLong(record, now, true);
        } else if (!record.warnedLong && now - warnAt(record) >= 0) {
            record.warnedLong = true;
            tellHeldLong(record, now, false);
        }
    }

    private void stopIfNobodyHolds(LeaseRecord record) {
        Thread thread = record.thread;
        if (record.tiedToThread && thread != null && !thread.isAlive()) {
            stopRenewal(record, LossCause.THREAD_ENDED);
            LOG.warn(
                    "lock {} is not renewed any more: its thread has ended without unlocking. Unlock in a finally block",
                    record.key);
        }
        LeaseRecord.Reachability reachability = record.reachability;
        if (reachability != null && !reachability.reachable()) {
            stopRenewal(record, LossCause.ABANDONED);
            LOG.warn(
                    "a lease of lock {} became unreachable without a release and is not renewed any more. It was taken "
                            + "at {}. Use try-with-resources",
                    record.key,
                    reachability.takenAt());
        }
    }

    private static void stopRenewal(LeaseRecord record, LossCause cause) {
        record.renewalStopped = cause;
    }

    private void tellHeldLong(LeaseRecord record, long now, boolean stops) {
        Duration held = Duration.ofNanos(now - record.grantedAt());
        engine.runEvent(() -> {
            List<StackTraceElement> stack = stackOf(record.thread);
            LOG.warn(
                    "lock {} has been held for {}{}; its holder is at {}",
                    record.key,
                    held,
                    stops ? ", its maximum hold, and is not renewed any more" : "",
                    stack.isEmpty() ? "an unknown place" : stack.get(0));
            HeldLongEvent event =
                    new HeldLongEvent(record.key.name(), record.owner().name(), held, stops, stack);
            engine.events.tell(listener -> listener.heldLong(event));
        });
    }

    private static List<StackTraceElement> stackOf(@Nullable Thread thread) {
        return thread == null || !thread.isAlive() ? List.of() : List.of(thread.getStackTrace());
    }
}
