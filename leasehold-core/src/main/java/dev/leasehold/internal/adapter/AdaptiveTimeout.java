package dev.leasehold.internal.adapter;

import dev.leasehold.spi.TimeSource;
import java.util.concurrent.TimeUnit;

/**
 * For how long the lane waits for a silent server before it gives up a connection: shortly, for all renewals of the client
 * wait behind it, and half a second of silence costs no lease; but for ever longer as long as that does not help, or a
 * server that is slow and well would never be heard. Used by one thread.
 */
public final class AdaptiveTimeout {

    static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

    /**
     * Not less, though nobody may wait for so long: an answer that comes late still counts, and connecting anew would only
     * be more work for a server that is busy.
     */
    static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

    private static final int OF_USUAL = 4;

    private final TimeSource time;
    private long patienceNanos = LEAST_NANOS;
    private long limitNanos = LEAST_NANOS;
    private long begunAt;

    /**
     * Begins with the least.
     *
     * @param time whose monotonic time counts
     */
    public AdaptiveTimeout(TimeSource time) {
        this.time = time;
    }

    /**
     * Something is asked for which nobody waits longer than so.
     *
     * @param longestNanos the time that is left to those who wait for it
     */
    public void begin(long longestNanos) {
        limitNanos = longestNanos;
        begunAt = time.nanoTime();
    }

    /**
     * For how long to wait for the answer.
     *
     * @return nanoseconds
     */
    public long nanos() {
        return Math.min(patienceNanos, Math.max(limitNanos, SHORTEST_NANOS));
    }

    /** It was answered. */
    public void rewarded() {
        long took = time.nanoTime() - begunAt;
        patienceNanos = Math.max(LEAST_NANOS, Math.max(patienceNanos / 2, OF_USUAL * took));
    }

    /** It was not. */
    public void lost() {
        if (patienceNanos < limitNanos) {
            patienceNanos *= 2;
        }
    }
}
