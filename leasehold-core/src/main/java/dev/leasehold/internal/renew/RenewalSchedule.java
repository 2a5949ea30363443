package dev.leasehold.internal.renew;

/** When a lease is renewed. Pure arithmetic, in ns. Jitter is a number from 0 to 1. */
final class RenewalSchedule {

    private static final double MAX_JITTER = 0.1;
    /** Into how many parts a lease is divided; a third of it ends with one of them. */
    private static final int PARTS = 96;

    private static final long MIN_RETRY_NANOS = 10_000_000;
    private static final long MAX_RETRY_NANOS = 500_000_000;
    private static final long MIN_TIMEOUT_NANOS = 25_000_000;

    private RenewalSchedule() {}

    /**
     * When the part of the lease that may pass has passed, or up to a tenth of it sooner, so that leases taken together
     * are not renewed together for ever. Counted back from the end, so an extended lease is left alone for longer.
     *
     * <p>Within these bounds it is one of the moments that lie a 96th of the lease apart, counted from the origin: so
     * those that are nearly due go with those that are.
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

    /** Whether a moment is one at which a lease may be renewed that ends so. */
    static boolean fits(long moment, long end, long leaseNanos, double ratio) {
        double interval = leaseNanos * ratio;
        long granted = end - leaseNanos;
        return moment - granted <= (long) interval && moment - granted >= (long) (interval * (1 - MAX_JITTER));
    }

    /** How long to pause after a renewal that was not confirmed: short against the lease, so that many fit into it. */
    static long retryDelay(long leaseNanos, double jitter) {
        long base = Math.max(MIN_RETRY_NANOS, Math.min(MAX_RETRY_NANOS, leaseNanos / 20));
        return (long) (base * (0.5 + jitter));
    }

    /** How long to wait for the answer to a renewal: a sixth of the lease, so that several tries fit into the rest. */
    static long timeout(long leaseNanos, long commandTimeoutNanos) {
        return Math.min(commandTimeoutNanos, Math.max(MIN_TIMEOUT_NANOS, leaseNanos / 6));
    }
}
