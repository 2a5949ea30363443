package dev.leasehold.internal.time;

import dev.leasehold.spi.TimeSource;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * Detects that the machine was suspended: the monotonic clock stood still while the wall clock advanced. A step of the
 * wall clock alone looks the same. So a detection only makes leases suspect, never lost; the client then checks with
 * Redis.
 *
 * <p>Compares the clocks from check to check, so that the slew of a clock never adds up. Safe for use by any thread.
 */
public final class SuspensionWatch {

    /** A surplus of the wall clock above this between two checks is a suspension or a step, in ms. */
    public static final long THRESHOLD_MILLIS = 250;

    private static final AtomicReferenceFieldUpdater<SuspensionWatch, Sample> LAST =
            AtomicReferenceFieldUpdater.newUpdater(SuspensionWatch.class, Sample.class, "last");
    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final TimeSource time;
    private volatile Sample last;

    private record Sample(long nanos, long wallMillis, long surplusNanos) {}

    /** Starts with the present time of the clocks. */
    public SuspensionWatch(TimeSource time) {
        this.time = time;
        this.last = new Sample(time.nanoTime(), time.wallMillis(), 0);
    }

    /**
     * Compares the clocks with the last check.
     *
     * @return the sum of all surpluses found so far, in ns; it grows by each suspension
     */
    public long check() {
        while (true) {
            Sample before = last;
            long nanos = time.nanoTime();
            long wall = time.wallMillis();
            // The monotonic clock is read before and after the wall clock, and the longer interval counts: a thread
            // that was descheduled between two readings must not look like a suspended machine.
            long surplus = (wall - before.wallMillis) * NANOS_PER_MILLI - (time.nanoTime() - before.nanos);
            long found = surplus > THRESHOLD_MILLIS * NANOS_PER_MILLI ? surplus : 0;
            if (found == 0
                    && nanos - before.nanos < THRESHOLD_MILLIS * NANOS_PER_MILLI
                    && surplus > -NANOS_PER_MILLI * THRESHOLD_MILLIS) {
                // Nothing happened and the last sample is recent: keep it, so that many callers do not contend for it.
                return before.surplusNanos;
            }
            Sample now = new Sample(nanos, wall, before.surplusNanos + found);
            if (LAST.compareAndSet(this, before, now)) {
                return now.surplusNanos;
            }
        }
    }
}
