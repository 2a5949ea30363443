package dev.leasehold.chaos.work;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Limits the threads of a process to so many acquisitions a second. Thread-safe. */
final class Pace {

    /** A process that was stopped does not make up for more than this time. */
    private static final long MADE_UP_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final long intervalNanos;
    private final AtomicLong next;

    /**
     * Begins.
     *
     * @param perSecond the limit, 0 for none
     * @param now the monotonic clock, in ns
     */
    Pace(double perSecond, long now) {
        intervalNanos = perSecond > 0 ? (long) (TimeUnit.SECONDS.toNanos(1) / perSecond) : 0;
        next = new AtomicLong(now);
    }

    /** Records an acquisition. */
    void acquired(long now) {
        next.updateAndGet(due -> Math.max(due, now - MADE_UP_NANOS) + intervalNanos);
    }

    /** Returns how long the next acquisition has to wait, in ns. */
    long early(long now) {
        return intervalNanos == 0 ? 0 : Math.max(0, next.get() - now);
    }
}
