package dev.leasehold.chaos.work;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Keeps the threads of a process at so many acquisitions a second. Thread-safe. */
final class Pace {

    /** What was missed by more than this, in a process that stood still, is not made up for. */
    private static final long MADE_UP_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final long intervalNanos;
    private final AtomicLong next;

    /**
     * Begins.
     *
     * @param perSecond how many, 0 for as many as come
     * @param now the monotonic clock, in ns
     */
    Pace(double perSecond, long now) {
        intervalNanos = perSecond > 0 ? (long) (TimeUnit.SECONDS.toNanos(1) / perSecond) : 0;
        next = new AtomicLong(now);
    }

    /** A lock was acquired. */
    void acquired(long now) {
        next.updateAndGet(due -> Math.max(due, now - MADE_UP_NANOS) + intervalNanos);
    }

    /** For how long the next one has to wait, in ns. */
    long early(long now) {
        return intervalNanos == 0 ? 0 : Math.max(0, next.get() - now);
    }
}
