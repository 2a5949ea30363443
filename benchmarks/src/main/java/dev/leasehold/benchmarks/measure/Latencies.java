package dev.leasehold.benchmarks.measure;

/**
 * Counts durations in classes whose bounds differ by at most 1/32, so that a percentile is exact to about 3 %. To record is
 * one addition to an array. Not thread-safe: each thread has its own, and they are added at the end.
 */
public final class Latencies {

    private static final int FRACTION_BITS = 5;
    private static final int FRACTIONS = 1 << FRACTION_BITS;

    private final long[] counts = new long[(Long.SIZE - FRACTION_BITS) * FRACTIONS];

    /** Counts one duration; a negative one counts as none. */
    public void record(long nanos) {
        counts[indexOf(Math.max(0, nanos))]++;
    }

    /**
     * Durations below 64 ns have a class each. Above, a class is the highest bit and the five bits below it.
     */
    private static int indexOf(long nanos) {
        int shift = Math.max(0, Long.SIZE - 1 - FRACTION_BITS - Long.numberOfLeadingZeros(nanos));
        return shift * FRACTIONS + (int) (nanos >>> shift);
    }

    /** Returns the longest duration of a class. */
    private static long longestOf(int index) {
        int shift = Math.max(0, index / FRACTIONS - 1);
        return ((index - (long) shift * FRACTIONS + 1) << shift) - 1;
    }

    /** Adds all that another has counted. */
    public void add(Latencies other) {
        for (int n = 0; n < counts.length; n++) {
            counts[n] += other.counts[n];
        }
    }

    /**
     * Returns the duration that this part of all do not exceed, in nanoseconds; NaN if nothing was counted.
     *
     * @param part from 0 to 1
     */
    public double percentile(double part) {
        long all = 0;
        for (long count : counts) {
            all += count;
        }
        if (all == 0) {
            return Double.NaN;
        }
        long wanted = Math.max(1, (long) Math.ceil(part * all));
        long seen = 0;
        int index = -1;
        while (seen < wanted) {
            seen += counts[++index];
        }
        return longestOf(index);
    }
}
