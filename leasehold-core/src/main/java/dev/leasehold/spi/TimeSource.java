package dev.leasehold.spi;

/** Where the engine reads time. Safe for use by any thread. */
public interface TimeSource {

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
}
