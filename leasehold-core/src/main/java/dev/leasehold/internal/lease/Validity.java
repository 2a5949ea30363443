package dev.leasehold.internal.lease;

/** How long an answer from Redis may be relied on. Pure arithmetic on the local monotonic clock, in ns. */
public final class Validity {

    /** 2 ms: one for the precision of expiry in Redis, one at the least for clocks. */
    private static final long MIN_DRIFT_NANOS = 2_000_000;

    private static final long DRIFT_DIVISOR = 100;

    private Validity() {}

    /** How far two clocks may drift apart over a span: 1 % and 2 ms. */
    public static long drift(long spanNanos) {
        return spanNanos / DRIFT_DIVISOR + MIN_DRIFT_NANOS;
    }

    /**
     * What is surely left of the hold, counted from the moment before this very attempt was sent. What was asked may be
     * more than what an earlier copy of the request got; what Redis saw may be more than what was asked. The lesser is
     * true. Never counted from the reply, which may have waited in a socket.
     */
    public static long span(long askedNanos, long leftNanos) {
        return Math.min(askedNanos, leftNanos);
    }
}
