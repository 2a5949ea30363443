package dev.leasehold.internal.wait;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The position of a local queue in the queue that Redis keeps for the lock: its first waiter polls for all. Changed only
 * inside the map of {@link LocalQueues}, except where noted; read by any thread.
 */
final class QueuePosition {

    /** The number that Redis gave; 0 if there is none. */
    private volatile long number;

    /** Whether the first waiter is the next after the head of the queue, and polls more often. */
    private volatile boolean standby;

    /** Whether a request of the first waiter is in flight that may bring another number than the known one. */
    private volatile boolean mayChange;

    /** The exemption by the latest batch of heartbeats; null before the first. */
    private volatile @Nullable Exemption exemption;

    /** Numbers that were woken, or told late, while the first waiter could be about to learn them; null if there are none. */
    private @Nullable Set<Long> unclaimed;

    /**
     * A time until which the first waiter need not poll.
     *
     * @param number the position whose heartbeat Redis has received
     * @param until a moment of the monotonic clock
     */
    private record Exemption(long number, long until) {}

    long number() {
        return number;
    }

    boolean standby() {
        return standby;
    }

    /** A request that may bring a number is about to be sent; by the first waiter, before it is sent. */
    void requested() {
        mayChange = true;
    }

    /** Another waiter is the first: no request of it is in flight. Before it knows that it is the first. */
    void firstChanged() {
        mayChange = false;
    }

    /** Redis answered the first waiter; 0 if it gave no position. */
    void assigned(long given, boolean asStandby) {
        standby = asStandby;
        number = given;
        mayChange = false;
    }

    /** Redis removed the position when it granted the lock. */
    void removed() {
        number = 0;
    }

    /** Takes the number away. Returns it; 0 if there was none. */
    long clear() {
        long last = number;
        number = 0;
        return last;
    }

    /** Exempts this position from polling until a moment; on any thread. */
    void exempt(long polled, long until) {
        exemption = new Exemption(polled, until);
    }

    /** Returns until when the first waiter need not poll; now if it is not exempt. */
    long exemptUntil(long now) {
        Exemption last = exemption;
        return last != null && last.number == number && last.until - now > 0 ? last.until : now;
    }

    /** Returns whether this number is the position, or may be about to become it. */
    boolean claims(long given) {
        if (number != given && mayChange) {
            unclaimed = unclaimed == null ? new HashSet<>() : unclaimed;
            unclaimed.add(given);
        }
        return number == given || mayChange;
    }

    /** Returns, once, the numbers that were claimed and did not become the position; none while a request is in flight. */
    Set<Long> notClaimed() {
        Set<Long> notClaimed = mayChange ? null : unclaimed;
        if (notClaimed == null) {
            return Set.of();
        }
        unclaimed = null;
        return notClaimed;
    }
}
