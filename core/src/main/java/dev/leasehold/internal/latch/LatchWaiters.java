package dev.leasehold.internal.latch;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.wakeup.WakeListener;
import dev.leasehold.spi.TimeSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The waiters of this client for latches. A wake-up is a hint to poll; the result of one poll counts for all that waited by then. */
public final class LatchWaiters implements WakeListener.Woken {

    private final TimeSource time;
    private final Map<LockKey, LatchWaitGroup> groups = new ConcurrentHashMap<>();

    public LatchWaiters(TimeSource time) {
        this.time = time;
    }

    LatchWaiter join(LockKey key) {
        LatchWaiter[] joined = new LatchWaiter[1];
        groups.compute(key, (name, there) -> {
            long now = time.nanoTime();
            LatchWaitGroup group = there == null ? new LatchWaitGroup(key, now) : there;
            joined[0] = new LatchWaiter(group, now);
            group.waiters.add(joined[0]);
            return group;
        });
        return joined[0];
    }

    /** Ends a wait. Its registration in Redis stays until the latch ends: at worst this client is woken without a waiter. */
    void leave(LatchWaiter waiter) {
        groups.computeIfPresent(waiter.group.key, (name, there) -> {
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
            wake(key);
        }
    }

    private void wake(LockKey key) {
        LatchWaitGroup group = groups.get(key);
        if (group != null) {
            group.waiters.forEach(LatchWaiter::pollNow);
        }
    }

    @Override
    public void pollAll() {
        groups.keySet().forEach(this::wake);
    }

    /** The number of waiters, for all latches. */
    int size() {
        return groups.values().stream().mapToInt(group -> group.waiters.size()).sum();
    }
}
