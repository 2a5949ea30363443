package dev.leasehold;

import java.time.Duration;

/**
 * The policy for renewing a lease in the background: whether, when and how often. Immutable.
 *
 * <p>The client repeats a renewal without an answer until the lease's deadline; only an answered renewal counts towards
 * {@code times}.
 *
 * @param ratio the part of the lease after which it is renewed, between 0 and 1, exclusive: with a lease of 30 s and
 *     one third, every 10 s. The rest of the lease is left for further tries. 0 means no renewal
 * @param times the largest number of renewals; {@link Integer#MAX_VALUE} means no limit. After the last one the lease
 *     expires and is lost
 */
public record Renewal(double ratio, int times) {

    private static final double DEFAULT_RATIO = 1.0 / 3;
    private static final Renewal WHILE_HELD = new Renewal(DEFAULT_RATIO, Integer.MAX_VALUE);
    private static final Renewal NONE = new Renewal(0, 0);
    private static final Duration MIN_INTERVAL = Duration.ofMillis(20);

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the ratio is not between 0 and 1 or the number of times is not positive,
     *     except for both being 0
     */
    public Renewal {
        boolean none = ratio == 0 && times == 0;
        if (!none && !(ratio > 0 && ratio < 1)) {
            throw new IllegalArgumentException("renewal ratio " + ratio
                    + " must lie between 0 and 1: it is the part of the lease after which it is renewed, such as 0.33");
        }
        if (!none && times <= 0) {
            throw new IllegalArgumentException("number of renewals " + times
                    + " must be positive. Use Renewal.none() for a lease without renewal");
        }
    }

    /**
     * Renews after each third of the lease, until it is released: the default.
     *
     * @return the one shared instance
     */
    public static Renewal whileHeld() {
        return WHILE_HELD;
    }

    /**
     * Does not renew: the lease ends after the lease time, and is lost unless it was released or extended before.
     *
     * @return the one shared instance
     */
    public static Renewal none() {
        return NONE;
    }

    /**
     * Renews after the given part of the lease, until it is released.
     *
     * @param ratio between 0 and 1, exclusive
     * @return the renewal
     */
    public static Renewal afterRatio(double ratio) {
        return new Renewal(ratio, Integer.MAX_VALUE);
    }

    /**
     * Returns the same policy with a limited number of renewals.
     *
     * @param limit the greatest number of renewals, positive
     * @return the renewal
     */
    public Renewal atMost(int limit) {
        return new Renewal(ratio, limit);
    }

    /**
     * Returns whether the lease is renewed.
     *
     * @return false for {@link #none()}
     */
    public boolean enabled() {
        return times > 0;
    }

    /**
     * Returns whether the lease is renewed until it is released.
     *
     * @return false for {@link #none()}, and after {@link #atMost}
     */
    public boolean unlimited() {
        return times == Integer.MAX_VALUE;
    }

    void checkLeaseTime(Duration leaseTime) {
        double nanos = leaseTime.toNanos();
        if (nanos * (1 - ratio) < LockOptions.MIN_TIME_FOR_RENEWAL.toNanos()
                || nanos * ratio < MIN_INTERVAL.toNanos()) {
            throw new IllegalArgumentException("lease time " + leaseTime + " is too short for a renewal after "
                    + ratio + " of it: at least " + MIN_INTERVAL + " must pass before, and "
                    + LockOptions.MIN_TIME_FOR_RENEWAL
                    + " remain after it is due. Use a longer lease, another ratio, or Renewal.none()");
        }
    }
}
