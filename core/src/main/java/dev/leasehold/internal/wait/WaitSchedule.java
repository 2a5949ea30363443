package dev.leasehold.internal.wait;

import dev.leasehold.WaitStrategy;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.time.WaitLimit;
import java.util.function.DoubleSupplier;

/** The times at which an acquisition tries again. */
public final class WaitSchedule {

    private static final long MIN_LAST_TRY_NANOS = 1_000_000;
    private static final long MAX_LAST_TRY_NANOS = 20_000_000;
    private static final long MAX_LAST_POLL_NANOS = 100_000_000;
    private static final long FIRST_RETRY_NANOS = 10_000_000;
    private static final int MAX_DOUBLINGS = 5;
    private static final long POLL_NANOS = 5_000_000_000L;
    private static final long STANDBY_NANOS = 1_000_000_000L;
    private static final double POLL_JITTER = 0.2;

    private final WaitStrategy strategy;
    private final DoubleSupplier jitter;
    private final long deadline;
    private final long lastTry;
    private final long lastPoll;

    /** Creates a schedule; a single try has the time of a command, and that which replicas or disks have besides. */
    public WaitSchedule(
            WaitStrategy strategy, WaitLimit limit, long startedAt, RequestContext context, long withinNanos) {
        this.strategy = strategy;
        this.jitter = context.random();
        long nanos = switch (limit.kind()) {
            case ONCE -> {
                long most = context.commandNanos() + withinNanos;
                yield limit.nanos() > 0 ? Math.min(limit.nanos(), most) : most;
            }
            case TIMED -> limit.nanos();
            case UNLIMITED -> Long.MAX_VALUE / 2;
        };
        this.deadline = startedAt + nanos;
        this.lastTry = deadline - Math.max(MIN_LAST_TRY_NANOS, Math.min(MAX_LAST_TRY_NANOS, nanos / 10));
        this.lastPoll = deadline - Math.max(MIN_LAST_TRY_NANOS, Math.min(MAX_LAST_POLL_NANOS, nanos / 2));
    }

    /** Returns whether the acquisition waits in the queue of the lock. */
    public boolean wakeUps() {
        return strategy.wakeUps();
    }

    public long deadline() {
        return deadline;
    }

    /** The last moment for a poll that leaves plenty of time for its answer. */
    public long lastPoll() {
        return lastPoll;
    }

    public boolean exhausted(int tries) {
        return tries >= strategy.maxTries();
    }

    /** Returns whether there is time for another try and its answer: the outcome of one that the deadline cuts off stays open. */
    public boolean anotherTryFits(long now) {
        return now - lastTry < 0;
    }

    /**
     * Returns when to send a poll that is due: after the exemption, but not later than the last try. A poll that is so late
     * that little time is left for its answer is left out: this machine is overloaded, and an acquisition that knows the lock
     * to be taken must not end in doubt.
     */
    public long pollAt(long due, long now, long exemptUntil) {
        long left = deadline - now;
        if (left < MAX_LAST_POLL_NANOS && now - due > left) {
            return deadline;
        }
        return exemptUntil - lastTry < 0 ? exemptUntil : lastTry;
    }

    /**
     * Returns the next try after a busy answer: after the interval, or when the holder's lease ends, but not before the
     * shortest pause is over; the deadline if none fits.
     */
    public long nextTry(long now, long holderLeftNanos, long shortestNanos) {
        long interval = (long) (strategy.interval().toNanos() * (0.5 + jitter.getAsDouble()));
        long next = now + Math.max(shortestNanos, Math.min(interval, holderLeftNanos + MIN_LAST_TRY_NANOS));
        return next - lastTry < 0 ? next : anotherTryFits(now) ? lastTry : deadline;
    }

    /**
     * Returns the next poll after a busy answer to a waiter in the queue. The head polls when the holder's lease ends. The
     * next is its standby for wake-ups that are lost. All poll often enough not to be taken for dead. The last poll leaves
     * plenty of time for its answer; a wake-up after it still leads to one more.
     */
    public long nextPoll(long now, long holderLeftNanos, int rank) {
        long most = (long) ((rank == 1 ? STANDBY_NANOS : POLL_NANOS) * (1 - POLL_JITTER * jitter.getAsDouble()));
        long leaseEnds = now + holderLeftNanos + MIN_LAST_TRY_NANOS;
        if (rank == 0 && leaseEnds - (now + most) < 0 && leaseEnds - lastTry < 0) {
            return leaseEnds;
        }
        long next = now + most;
        return next - lastPoll < 0 ? next : now - lastPoll < 0 ? lastPoll : deadline;
    }

    /** Returns the next try after a failure: soon, then less often, never past the deadline. */
    public long retryAfterFailure(long now, int failures) {
        long pause =
                (long) ((FIRST_RETRY_NANOS << Math.min(failures - 1, MAX_DOUBLINGS)) * (0.5 + jitter.getAsDouble()));
        return deadline - (now + pause) > 0 ? now + pause : deadline;
    }
}
