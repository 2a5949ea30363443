package dev.leasehold.internal.latch;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.wait.WakeListener;
import dev.leasehold.spi.TimeSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Where the awaits of this client wait. A wake-up is a hint to look; what one look finds is told to all who waited by then. */
public final class LatchWaiters implements WakeListener.Woken {

    private final TimeSource time;
    private final Map<LockKey, LatchWaitGroup> lines = new ConcurrentHashMap<>();

    public LatchWaiters(TimeSource time) {
        this.time = time;
    }

    LatchWaiter join(LockKey key) {
        LatchWaiter[] joined = new LatchWaiter[1];
        lines.compute(key, (name, there) -> {
            long now = time.nanoTime();
            LatchWaitGroup line = there == null ? new LatchWaitGroup(key, now) : there;
            joined[0] = new LatchWaiter(line, now);
            line.seats.add(joined[0]);
            return line;
        });
        return joined[0];
    }

    /** Ends a wait. What Redis knows of it stays until the latch goes: at worst this client is woken for nobody. */
    void leave(LatchWaiter seat) {
        lines.computeIfPresent(seat.line.key, (name, there) -> {
            seat.line.seats.remove(seat);
            return there == seat.line && there.seats.isEmpty() ? null : there;
        });
    }

    /** Nothing was left to count when the look that was sent then came to Redis: all who waited here are told. */
    void reached(LatchWaitGroup line, long sentAt) {
        line.seats.forEach(seat -> seat.reached(sentAt));
    }

    @Override
    public void woken(long position, LockKey key) {
        if (position == 0) {
            wake(key);
        }
    }

    private void wake(LockKey key) {
        LatchWaitGroup line = lines.get(key);
        if (line != null) {
            line.seats.forEach(LatchWaiter::call);
        }
    }

    @Override
    public void pollAll() {
        lines.keySet().forEach(this::wake);
    }

    /** How many wait here, for whichever latch. */
    int size() {
        return lines.values().stream().mapToInt(line -> line.seats.size()).sum();
    }
}
