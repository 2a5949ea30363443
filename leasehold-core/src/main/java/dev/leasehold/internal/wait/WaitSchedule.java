package dev.leasehold.internal.wait;

import dev.leasehold.WaitStrategy;
import dev.leasehold.internal.request.RequestContext;
import java.util.function.DoubleSupplier;

/** When an acquisition tries again. */
public final class WaitSchedule {

    private static final long MIN_LAST_TRY_NANOS = 1_000_000;
    private static final long MAX_LAST_TRY_NANOS = 20_000_000;
    private static final long MAX_LAST_LOOK_NANOS = 100_000_000;
    private static final long FIRST_RETRY_NANOS = 10_000_000;
    private static final int MAX_DOUBLINGS = 5;
    private static final long LOOK_NANOS = 5_000_000_000L;
    private static final long STAND_BY_NANOS = 1_000_000_000L;
    private static final double LOOK_JITTER = 0.2;

    private final WaitStrategy strategy;
    private final DoubleSupplier jitter;
    private final long deadline;
    private final long lastTry;
    private final long lastLook;

    /** Begins; a single try has the time of a command, and what replicas or disks have beside it. */
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
        this.lastLook = deadline - Math.max(MIN_LAST_TRY_NANOS, Math.min(MAX_LAST_LOOK_NANOS, nanos / 2));
    }

    /** Whether it waits in the queue of the lock. */
    public boolean wakeUps() {
        return strategy.wakeUps();
    }

    public long deadline() {
        return deadline;
    }

    /** The last moment for a look that leaves plenty of time for its answer. */
    public long lastLook() {
        return lastLook;
    }

    public boolean exhausted(int tries) {
        return tries >= strategy.maxTries();
    }

    /** Whether there is time for another try and its answer: a try cut off by the deadline would leave its outcome open. */
    public boolean anotherTryFits(long now) {
        return now - lastTry < 0;
    }

    /**
     * When to look whose time for that has come: not before the moment until which it is spared, but for the last try. A look
     * that comes so late that little is left for its answer is left out: this machine is overloaded, and who knows that the
     * lock is taken had better not ask than be left in doubt.
     */
    public long onceDue(long due, long now, long sparedUntil) {
        long left = deadline - now;
        if (left < MAX_LAST_LOOK_NANOS && now - due > left) {
            return deadline;
        }
        return sparedUntil - lastTry < 0 ? sparedUntil : lastTry;
    }

    /** After a busy answer. The end of the holder's lease is a good moment too, if it comes sooner. */
    public long nextTry(long now, long holderLeftNanos) {
        long interval = (long) (strategy.interval().toNanos() * (0.5 + jitter.getAsDouble()));
        long next = now + Math.min(interval, holderLeftNanos + MIN_LAST_TRY_NANOS);
        return next - lastTry < 0 ? next : lastTry;
    }

    /**
     * After a busy answer to who waits in the queue. The head looks when the holder's lease ends, the next is its stand-by
     * for wake-ups that are lost, and all look often enough not to be taken for dead. The last look leaves plenty of time
     * for its answer: to who is called later the lock comes all the same.
     */
    public long nextLook(long now, long holderLeftNanos, int rank) {
        long most = (long) ((rank == 1 ? STAND_BY_NANOS : LOOK_NANOS) * (1 - LOOK_JITTER * jitter.getAsDouble()));
        long leaseEnds = now + holderLeftNanos + MIN_LAST_TRY_NANOS;
        if (rank == 0 && leaseEnds - (now + most) < 0 && leaseEnds - lastTry < 0) {
            return leaseEnds;
        }
        long next = now + most;
        return next - lastLook < 0 ? next : now - lastLook < 0 ? lastLook : deadline;
    }

    /** After a failure: soon, then less often, never past the deadline. */
    public long retryAfterFailure(long now, int failures) {
        long pause =
                (long) ((FIRST_RETRY_NANOS << Math.min(failures - 1, MAX_DOUBLINGS)) * (0.5 + jitter.getAsDouble()));
        return deadline - (now + pause) > 0 ? now + pause : deadline;
    }
}
