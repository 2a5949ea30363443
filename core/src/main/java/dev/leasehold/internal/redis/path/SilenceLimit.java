package dev.leasehold.internal.redis.path;

import java.util.concurrent.TimeUnit;

/**
 * How long the connections of one path may be silent before they are given up. The limit is short, because renewals wait
 * behind a silent connection, and half a second of silence costs no lease. It grows while reconnecting does not help,
 * because otherwise a slow but healthy server could never answer in time. Safe for use by any thread; of two changes at the
 * same moment one may be lost.
 */
public final class SilenceLimit {

    static final long MIN_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

    /**
     * The lower bound, even if no caller waits that long: a late answer still counts, and reconnecting would only add
     * work for a busy server.
     */
    public static final long FLOOR_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

    private static final int LATENCY_FACTOR = 4;

    private volatile long currentNanos = MIN_NANOS;

    /** Returns the limit in ns. */
    public long nanos() {
        return currentNanos;
    }

    /**
     * Returns the limit of an exchange that nothing else shares.
     *
     * @param longestNanos the longest remaining time of the callers that wait for it
     * @return nanoseconds
     */
    public long nanos(long longestNanos) {
        return Math.min(currentNanos, Math.max(longestNanos, FLOOR_NANOS));
    }

    /** Returns whether a silence made it longer, so that answers may shorten it. */
    public boolean isRaised() {
        return currentNanos > MIN_NANOS;
    }

    /**
     * Records how long an answer took, in ns.
     *
     * @param mostNanos the longest time for which a caller waits; the limit does not grow beyond it
     */
    public void answered(long tookNanos, long mostNanos) {
        long needed = Math.min(LATENCY_FACTOR * tookNanos, mostNanos);
        currentNanos = Math.max(MIN_NANOS, Math.max(currentNanos / 2, needed));
    }

    /**
     * Records that a connection was silent for the limit.
     *
     * @param mostNanos as for {@link #answered}
     */
    public void silent(long mostNanos) {
        currentNanos = Math.max(currentNanos, Math.min(2 * currentNanos, mostNanos));
    }
}
