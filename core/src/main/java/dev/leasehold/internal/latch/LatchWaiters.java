package dev.leasehold.internal.latch;

import dev.leasehold.internal.key.LatchKey;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.time.ExpiringMap;
import dev.leasehold.internal.wakeup.WakeListener;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The waiters of this client for latches. A wake-up is a hint to poll; the result of one poll counts for all that waited by then. A
 * client has one position at a latch, which it remembers until the latch ends: Redis keeps a limited number of them.
 */
public final class LatchWaiters implements WakeListener.Woken {

    private final TimeSource time;
    private final Map<LatchKey, LatchWaitGroup> groups = new ConcurrentHashMap<>();

    /** The positions at latches for which nobody waits now. */
    private final ExpiringMap<LatchKey, Position> positions;

    /** A position, and when its latch ends. */
    private record Position(long number, long until) {}

    public LatchWaiters(TimeSource time, Timer timer) {
        this.time = time;
        this.positions = new ExpiringMap<>(timer, time::nanoTime, Position::until);
    }

    LatchWaiter join(LatchKey latch) {
        LatchWaiter[] joined = new LatchWaiter[1];
        groups.compute(latch, (name, there) -> {
            long now = time.nanoTime();
            LatchWaitGroup group = there == null ? new LatchWaitGroup(latch, now, positionAt(latch)) : there;
            joined[0] = group.join(now);
            return group;
        });
        return joined[0];
    }

    private long positionAt(LatchKey latch) {
        Position known = positions.get(latch);
        return known == null ? 0 : known.number;
    }

    /** Redis answered a poll that carried the registration of a group. */
    void registered(LatchWaitGroup group, long number, long leftNanos) {
        group.registered(number);
        positioned(group.latch, number, leftNanos);
    }

    /** The client has a position at a latch that ends after some time; 0 if it has none. */
    void positioned(LatchKey latch, long number, long leftNanos) {
        if (number > 0) {
            positions.put(latch, new Position(number, time.nanoTime() + leftNanos));
        }
    }

    /** Ends a wait. Its registration in Redis stays until the latch ends: at worst this client is woken without a waiter. */
    void leave(LatchWaiter waiter) {
        groups.computeIfPresent(waiter.group.latch, (name, there) -> {
            waiter.group.waiters.remove(waiter);
            return there == waiter.group && there.waiters.isEmpty() ? null : there;
        });
    }

    /** The count was 0 when Redis executed the poll that was sent then: all that waited by then are woken. */
    void reached(LatchWaitGroup group, long sentAt) {
        group.waiters.forEach(waiter -> waiter.reached(sentAt));
    }

    @Override
    public void woken(long position, LockKey key) {
        if (position == 0) {
            // The message does not name the round.
            groups.forEach((latch, group) -> {
                if (latch.key().equals(key)) {
                    wake(group);
                }
            });
        }
    }

    private static void wake(LatchWaitGroup group) {
        group.waiters.forEach(LatchWaiter::pollNow);
    }

    @Override
    public void pollAll() {
        groups.values().forEach(LatchWaiters::wake);
    }

    /** The number of waiters, for all latches. */
    int size() {
        return groups.values().stream().mapToInt(group -> group.waiters.size()).sum();
    }
}
