package dev.leasehold.internal.time;

import dev.leasehold.spi.Timer;
import io.netty.util.HashedWheelTimer;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * Netty's timing wheel: scheduling and cancelling cost the same for ten leases and for a hundred thousand. Its ticks of
 * 10 ms are a fifth of the shortest time that is ever left for a renewal.
 */
public final class WheelTimer implements Timer {

    private static final int TICK_MILLIS = 10;
    private static final int WHEEL_SIZE = 2048;

    private final HashedWheelTimer wheel;

    /** Starts a wheel of its own, on a daemon thread with this name. */
    public WheelTimer(String threadName) {
        wheel = new HashedWheelTimer(
                new DefaultThreadFactory(threadName, true), TICK_MILLIS, TimeUnit.MILLISECONDS, WHEEL_SIZE, false);
    }

    @Override
    public Timeout schedule(Runnable task, long delayNanos) {
        try {
            io.netty.util.Timeout timeout =
                    wheel.newTimeout(ignored -> task.run(), Math.max(0, delayNanos), TimeUnit.NANOSECONDS);
            return timeout::cancel;
        } catch (IllegalStateException e) {
            // Stopped: the client is closed, and what would have been due later never is.
            return () -> {};
        }
    }

    @Override
    public void close() {
        wheel.stop();
    }
}
