package dev.leasehold.internal.time;

import dev.leasehold.spi.TimeSource;
import java.util.function.BooleanSupplier;

/**
 * Waits on the caller's thread for what others bring about, for so long in all. By the number of looks, for a clock that a test
 * moves may stand still. Used by one thread.
 */
public final class BoundedWait {

    private static final long AGAIN_NANOS = 500_000;

    private final TimeSource time;
    private long left;

    /** Waits no longer than this, over all conditions. */
    public BoundedWait(TimeSource time, long nanos) {
        this.time = time;
        this.left = nanos / AGAIN_NANOS;
    }

    /** Returns once it holds, the time is over, or the thread is interrupted, whose interrupt is kept. */
    public void until(BooleanSupplier condition) {
        while (!condition.getAsBoolean() && left > 0 && !Thread.currentThread().isInterrupted()) {
            time.pause(AGAIN_NANOS);
            left--;
        }
    }
}
