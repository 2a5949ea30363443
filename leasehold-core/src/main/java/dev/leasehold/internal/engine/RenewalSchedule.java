package dev.leasehold.internal.engine;

/** When a lease is renewed. Pure arithmetic, in ns. Jitter is a number from 0 to 1. */
final class RenewalSchedule {

    private static final double MAX_JITTER = 0.1;
    private static final long MIN_RETRY_NANOS = 10_000_000;
    private static final long MAX_RETRY_NANOS = 500_000_000;
    private static final long MIN_TIMEOUT_NANOS = 25_000_000;

    private RenewalSchedule() {}

    /**
     * When the part of the lease that may pass has passed, or up to a tenth of it sooner, so that leases taken together
     * are not renewed together for ever. Counted back from the end, so an extended lease is left alone for longer.
     */
    static long dueAt(long end, long leaseNanos, double ratio, double jitter) {
        double interval = leaseNanos * ratio * (1 - MAX_JITTER * jitter);
        return end - leaseNanos + (long) interval;
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
