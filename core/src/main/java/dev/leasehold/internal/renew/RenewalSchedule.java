package dev.leasehold.internal.renew;

/** Computes the moments of renewals. Pure arithmetic, in ns. Jitter is a number from 0 to 1. */
final class RenewalSchedule {

    private static final double MAX_JITTER = 0.1;
    /** The number of equal parts of a lease; divisible by 3, so that a third of the lease is a whole number of parts. */
    private static final int PARTS = 96;

    private static final long MIN_RETRY_NANOS = 10_000_000;
    private static final long MAX_RETRY_NANOS = 500_000_000;
    private static final long MIN_TIMEOUT_NANOS = 25_000_000;

    private RenewalSchedule() {}

    /**
     * Returns the moment at which a lease is due for renewal: after {@code ratio} of the lease time, or up to a tenth of that
     * sooner, so that leases acquired together are not renewed together forever. It is computed from the end, so an extended
     * lease is due later.
     *
     * <p>Within these bounds the moment is a multiple of a 96th of the lease, counted from the origin: so leases that are due
     * at nearly the same time are renewed in one call.
     */
    static long dueAt(long end, long leaseNanos, double ratio, double jitter, long origin) {
        double interval = leaseNanos * ratio;
        long granted = end - leaseNanos;
        long due = granted + (long) (interval * (1 - MAX_JITTER * jitter));
        long earliest = granted + (long) (interval * (1 - MAX_JITTER));
        long part = leaseNanos / PARTS;
        if (part == 0 || granted + (long) interval - earliest < part) {
            return due;
        }
        long before = due - Math.floorMod(due - origin, part);
        return before - earliest >= 0 ? before : before + part;
    }

    /** Returns whether the renewal of a lease with this end is overdue at a moment. */
    static boolean overdue(long moment, long end, long leaseNanos, double ratio) {
        return moment - (end - leaseNanos) > (long) (leaseNanos * ratio);
    }

    /** Returns whether a moment is before any at which a lease with this end is due, because the lease was extended. */
    static boolean early(long moment, long end, long leaseNanos, double ratio) {
        return moment - (end - leaseNanos) < (long) (leaseNanos * ratio * (1 - 2 * MAX_JITTER));
    }

    /** Returns whether a lease with this end may be renewed at a moment. */
    static boolean fits(long moment, long end, long leaseNanos, double ratio) {
        double interval = leaseNanos * ratio;
        long granted = end - leaseNanos;
        return moment - granted <= (long) interval && moment - granted >= (long) (interval * (1 - MAX_JITTER));
    }

    /** Returns the pause after a renewal that was not confirmed: short compared with the lease, so that many tries fit into it. */
    static long retryDelay(long leaseNanos, double jitter) {
        long base = Math.max(MIN_RETRY_NANOS, Math.min(MAX_RETRY_NANOS, leaseNanos / 20));
        return (long) (base * (0.5 + jitter));
    }

    /** Returns the timeout of a renewal: a sixth of the lease, so that several tries fit into the remaining time. */
    static long timeout(long leaseNanos, long commandTimeoutNanos) {
        return Math.min(commandTimeoutNanos, Math.max(MIN_TIMEOUT_NANOS, leaseNanos / 6));
    }
}
