package dev.leasehold.spi;

import dev.leasehold.internal.time.SystemTime;
import java.util.concurrent.locks.LockSupport;

/** The clocks of a client. Safe for use by any thread. */
public interface TimeSource {

    /**
     * Returns the machine's clocks, the default of a client.
     *
     * @return the one shared instance
     */
    static TimeSource system() {
        return SystemTime.INSTANCE;
    }

    /**
     * Returns the monotonic time, by which all leases run.
     *
     * @return nanoseconds from an arbitrary origin
     */
    long nanoTime();

    /**
     * Returns the time of the wall clock. No deadline depends on it: if it advances further than the monotonic clock,
     * the machine was suspended.
     *
     * @return milliseconds since the epoch
     */
    long wallMillis();

    /**
     * Pauses the calling thread between two tries. May return early; returns immediately if the thread was unparked or
     * is interrupted. A time source that a test advances by hand must advance itself here, or the waiting thread would
     * never continue.
     *
     * @param nanos the longest pause in nanoseconds
     */
    default void pause(long nanos) {
        LockSupport.parkNanos(this, nanos);
    }
}
