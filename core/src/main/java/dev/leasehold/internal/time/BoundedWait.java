package dev.leasehold.internal.time;

import dev.leasehold.spi.TimeSource;
import java.util.function.BooleanSupplier;

/**
 * Waits on the caller's thread for conditions that other threads bring about, with one time limit for all of them.
 * Counts polls instead of reading the clock, because a test's clock may stand still. Used by one thread.
 */
public final class BoundedWait {

    private static final long POLL_NANOS = 500_000;

    private final TimeSource time;
    private long pollsLeft;

    /** Creates a wait with a time limit over all conditions. */
    public BoundedWait(TimeSource time, long nanos) {
        this.time = time;
        this.pollsLeft = nanos / POLL_NANOS;
    }

    /**
     * Returns once the condition holds, the time limit is reached, or the thread is interrupted; the interrupt status
     * is kept.
     */
    public void until(BooleanSupplier condition) {
        while (!condition.getAsBoolean()
                && pollsLeft > 0
                && !Thread.currentThread().isInterrupted()) {
            time.pause(POLL_NANOS);
            pollsLeft--;
        }
    }
}
