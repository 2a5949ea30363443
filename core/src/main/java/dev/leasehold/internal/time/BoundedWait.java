package dev.leasehold.internal.time;

import dev.leasehold.spi.TimeSource;
import java.util.function.BooleanSupplier;

/**
 * Waits on the caller's thread for conditions that other threads bring about, with one time limit for all of them.
 * Counts polls, too, because a test's clock may stand still. Used by one thread.
 */
public final class BoundedWait {

    private static final long POLL_NANOS = 500_000;

    private final TimeSource time;
    private final long begun;
    private final long most;
    private long pollsLeft;

    /** Creates a wait with a time limit over all conditions. */
    public BoundedWait(TimeSource time, long nanos) {
        this(time, nanos, nanos);
    }

    private BoundedWait(TimeSource time, long nanos, long most) {
        this.time = time;
        this.begun = time.nanoTime();
        this.most = most;
        this.pollsLeft = nanos / POLL_NANOS;
    }

    /** Creates a wait for something that begins. It is longer on a busy machine, because a late start is better than none. */
    public static BoundedWait forStart(TimeSource time, long nanos) {
        return new BoundedWait(time, nanos, Long.MAX_VALUE);
    }

    /**
     * Returns once the condition holds, the time limit is reached, or the thread is interrupted; the interrupt status
     * is kept.
     */
    public void until(BooleanSupplier condition) {
        while (!condition.getAsBoolean()
                && pollsLeft > 0
                && time.nanoTime() - begun < most
                && !Thread.currentThread().isInterrupted()) {
            time.pause(POLL_NANOS);
            pollsLeft--;
        }
    }
}
