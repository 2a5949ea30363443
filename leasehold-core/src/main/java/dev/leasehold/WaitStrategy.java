package dev.leasehold;

import java.time.Duration;

/**
 * How an acquisition waits while others hold the lock: in the queue of the lock until it is woken, or by asking again
 * after an interval. Immutable.
 *
 * @param interval the mean time between two tries, at least 1 ms. Each pause is drawn at random between half and one
 *     and a half of it, so that waiters do not fall into step
 * @param maxTries how many tries there are at the most, the first included; {@link Integer#MAX_VALUE} for as many as
 *     the time allows
 * @param wakeUps whether it waits in the queue of the lock, to be woken when the lock is free; the interval then counts
 *     only while that cannot be had: 64 clients wait already, or Redis refuses the subscription or is out of memory
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
     * Waits in the queue of the lock and is woken when the lock is free: the default. Of all that wait for a lock in one
     * client, the first has the client's place in the queue; the others stand behind it in the order in which they came.
     * A release wakes one client, the head of the queue. Whoever comes just then may be faster: order is not promised,
     * but after eight such the lock is kept for the head for 50 ms.
     *
     * <p>A wake-up that is lost strands nobody: the head looks again when the holder's lease ends and at least every 5 s,
     * the next about every second, the others about every 5 s.
     *
     * @return the one shared instance
     */
    public static WaitStrategy woken() {
        return WOKEN;
    }

    /**
     * Asks about every 50 ms, for as long as the caller's time lasts.
     *
     * @return the one shared instance
     */
    public static WaitStrategy polling() {
        return POLLING;
    }

    /**
     * Asks about every so often, for as long as the caller's time lasts.
     *
     * @param interval the mean time between two tries
     * @return the strategy
     */
    public static WaitStrategy polling(Duration interval) {
        return new WaitStrategy(interval, Integer.MAX_VALUE, false);
    }

    /**
     * Asks about every so often, at most so many times.
     *
     * @param interval the mean time between two tries
     * @param maxTries how many tries there are at the most, the first included
     * @return the strategy
     */
    public static WaitStrategy polling(Duration interval, int maxTries) {
        return new WaitStrategy(interval, maxTries, false);
    }
}
