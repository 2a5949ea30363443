package dev.leasehold.internal.redis.path;

import dev.leasehold.spi.TimeSource;
import java.util.concurrent.TimeUnit;

/**
 * The time that the batch thread waits for a silent server before it abandons a connection. It is short, because all
 * renewals of the client wait behind it, and half a second of silence costs no lease. It grows while reconnecting does
 * not help, because otherwise a slow but healthy server could never answer in time. Used by one thread.
 */
public final class AdaptiveTimeout {

    static final long MIN_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

    /**
     * The lower bound, even if no caller waits that long: a late answer still counts, and reconnecting would only add
     * work for a busy server.
     */
    static final long FLOOR_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

    private static final int LATENCY_FACTOR = 4;

    private final TimeSource time;
    private long currentNanos = MIN_NANOS;
    private long limitNanos = MIN_NANOS;
    private long startedAt;

    /**
     * Starts with the shortest timeout.
     *
     * @param time the clock, of which only the monotonic time is used
     */
    public AdaptiveTimeout(TimeSource time) {
        this.time = time;
    }

    /**
     * Begins an exchange.
     *
     * @param longestNanos the longest remaining time of the callers that wait for it
     */
    public void begin(long longestNanos) {
        limitNanos = longestNanos;
        startedAt = time.nanoTime();
    }

    /**
     * Returns how long to wait for the answer.
     *
     * @return nanoseconds
     */
    public long nanos() {
        return Math.min(currentNanos, Math.max(limitNanos, FLOOR_NANOS));
    }

    /** Records that the exchange was answered. */
    public void answered() {
        long took = time.nanoTime() - startedAt;
        currentNanos = Math.max(MIN_NANOS, Math.max(currentNanos / 2, LATENCY_FACTOR * took));
    }

    /** Records that the exchange was not answered. */
    public void unanswered() {
        if (currentNanos < limitNanos) {
            currentNanos *= 2;
        }
    }
}
