package dev.leasehold.internal.lease;

/** Computes how long an answer from Redis stays valid. Pure arithmetic on the local monotonic clock, in ns. */
public final class Validity {

    /** 2 ms: one for the precision of expiry in Redis, one as the minimum for clocks. */
    private static final long MIN_DRIFT_NANOS = 2_000_000;

    private static final long DRIFT_DIVISOR = 100;

    private Validity() {}

    /** Returns how far two clocks may drift apart over a span: 1 % and 2 ms. */
    public static long drift(long spanNanos) {
        return spanNanos / DRIFT_DIVISOR + MIN_DRIFT_NANOS;
    }

    /**
     * Returns whether a lease that Redis grants for this span has ended by now: its answer arrived too late.
     *
     * @param sentAt the moment before the request was sent
     * @param disagreement the growth of the surplus of the wall clock since then
     */
    public static boolean ended(long now, long sentAt, long span, long disagreement) {
        return now - (sentAt + span - drift(span) - disagreement) >= 0;
    }

    /**
     * Returns the certain remaining time of the hold, from the moment before this attempt was sent. The requested time may exceed
     * what an earlier copy of the request got; the time that Redis reports may exceed what was requested. The lesser is certain.
     * It is never counted from the arrival of the reply, which may have waited in a socket.
     */
    public static long span(long askedNanos, long leftNanos) {
        return Math.min(askedNanos, leftNanos);
    }
}
