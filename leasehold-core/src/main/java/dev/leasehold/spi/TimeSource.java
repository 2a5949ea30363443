package dev.leasehold.spi;

import dev.leasehold.internal.time.SystemTime;
import java.util.concurrent.locks.LockSupport;

/** Where the engine reads time. Safe for use by any thread. */
public interface TimeSource {

    /**
     * The machine's clocks: what a client uses unless it is given others.
     *
     * @return the same for all
     */
    static TimeSource system() {
        return SystemTime.INSTANCE;
    }

    /**
     * Monotonic time, by which all leases run.
     *
     * @return nanoseconds from an arbitrary origin
     */
    long nanoTime();

    /**
     * The wall clock. It decides nothing: a surplus of its advance over the monotonic one shows that the machine was
     * suspended.
     *
     * @return milliseconds since the epoch
     */
    long wallMillis();

    /**
     * Lets the calling thread pause between two tries. May return early; returns at once if the thread was unparked or is
     * interrupted. A time source that stands still until a test moves it moves on by itself here, or whoever waits would
     * wait for ever.
     *
     * @param nanos for how many nanoseconds at the most
     */
    default void pause(long nanos) {
        LockSupport.parkNanos(this, nanos);
    }
}
