package dev.leasehold;

import java.time.Duration;
import java.util.Objects;

/**
 * The way in which an acquisition waits while another caller holds the lock: in the lock's queue until it is woken, or
 * by polling at an interval. Immutable.
 *
 * @param interval the mean time between two tries, at least 1 ms. Each pause is random, between half and one and a half
 *     of the interval, so that waiters do not synchronize. Over a quorum, a try that got some servers but no majority is
 *     followed by a random pause of its own, which may be longer
 * @param maxTries the largest number of tries, including the first; {@link Integer#MAX_VALUE} for as many as the time
 *     limit allows
 * @param wakeUps whether the waiter enters the lock's queue, to be woken when the lock is free. The interval then
 *     applies only while that is not possible: 64 clients wait already, or Redis refuses the subscription or to publish
 *     wake-ups, or is out of memory
 */
public record WaitStrategy(Duration interval, int maxTries, boolean wakeUps) {

    private static final WaitStrategy POLLING = new WaitStrategy(Duration.ofMillis(50), Integer.MAX_VALUE, false);
    private static final WaitStrategy WOKEN = new WaitStrategy(Duration.ofMillis(50), Integer.MAX_VALUE, true);

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the interval is below 1 ms or above 1 hour, or the number of tries is not
     *     positive
     */
    public WaitStrategy {
        if (Objects.requireNonNull(interval, "interval").compareTo(Duration.ofMillis(1)) < 0
                || interval.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException("interval " + interval
                    + " must lie between 1 ms and 1 hour. Shorter ones load Redis, longer ones leave a free lock idle");
        }
        if (maxTries <= 0) {
            throw new IllegalArgumentException(
                    "number of tries " + maxTries + " must be positive. Use 1 to try once without waiting");
        }
    }

    /**
     * Waits in the lock's queue and is woken when the lock is free: the default. The waiters of one client share one
     * position in the queue in Redis: the first of them occupies it, and the others wait behind it in order of arrival.
     * A release wakes one client, the head of the queue. A caller that arrives at that moment may be faster (barging):
     * order is not guaranteed, but after eight barging acquisitions the lock is reserved for the head for 50 ms.
     *
     * <p>A lost wake-up strands no waiter: the head polls when the holder's lease ends and at least every 5 s, the
     * second waiter about every second, and the others about every 5 s.
     *
     * @return the one shared instance
     */
    public static WaitStrategy woken() {
        return WOKEN;
    }

    /**
     * Polls about every 50 ms, until the caller's time limit.
     *
     * @return the one shared instance
     */
    public static WaitStrategy polling() {
        return POLLING;
    }

    /**
     * Polls at the given interval, until the caller's time limit.
     *
     * @param interval the mean time between two tries
     * @return the strategy
     */
    public static WaitStrategy polling(Duration interval) {
        return new WaitStrategy(interval, Integer.MAX_VALUE, false);
    }

    /**
     * Polls at the given interval, with a limited number of tries.
     *
     * @param interval the mean time between two tries
     * @param maxTries the largest number of tries, including the first
     * @return the strategy
     */
    public static WaitStrategy polling(Duration interval, int maxTries) {
        return new WaitStrategy(interval, maxTries, false);
    }
}
