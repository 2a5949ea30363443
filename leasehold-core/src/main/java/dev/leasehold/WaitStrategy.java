package dev.leasehold;

import java.time.Duration;

/**
 * How an acquisition waits while others hold the lock: by asking again after an interval. Immutable.
 *
 * @param interval the mean time between two tries, at least 1 ms. Each pause is drawn at random between half and one
 *     and a half of it, so that waiters do not fall into step
 * @param maxTries how many tries there are at the most, the first included; {@link Integer#MAX_VALUE} for as many as
 *     the time allows
 */
public record WaitStrategy(Duration interval, int maxTries) {

    private static final WaitStrategy DEFAULT = new WaitStrategy(Duration.ofMillis(50), Integer.MAX_VALUE);

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the interval is below 1 ms or above 1 hour, or the number of tries is not
     *     positive
     */
    public WaitStrategy {
        if (interval.compareTo(Duration.ofMillis(1)) < 0 || interval.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException("interval " + interval
                    + " must lie between 1 ms and 1 hour. Shorter ones load Redis, longer ones wait in vain");
        }
        if (maxTries <= 0) {
            throw new IllegalArgumentException(
                    "number of tries " + maxTries + " must be positive. Use 1 to try once without waiting");
        }
    }

    /**
     * Asks about every 50 ms, for as long as the caller's time lasts: the default.
     *
     * @return the one shared instance
     */
    public static WaitStrategy polling() {
        return DEFAULT;
    }

    /**
     * Asks about every so often, for as long as the caller's time lasts.
     *
     * @param interval the mean time between two tries
     * @return the strategy
     */
    public static WaitStrategy polling(Duration interval) {
        return new WaitStrategy(interval, Integer.MAX_VALUE);
    }

    /**
     * Asks about every so often, at most so many times.
     *
     * @param interval the mean time between two tries
     * @param maxTries how many tries there are at the most, the first included
     * @return the strategy
     */
    public static WaitStrategy polling(Duration interval, int maxTries) {
        return new WaitStrategy(interval, maxTries);
    }
}
