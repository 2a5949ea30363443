package dev.leasehold.internal.time;

import dev.leasehold.spi.TimeSource;
import java.util.function.LongConsumer;

/**
 * The machine's clocks, compared with each other. After a suspension or a step of the wall clock the listener learns how far
 * they disagree. Safe for use by any thread.
 */
public final class Clocks {

    private final TimeSource time;
    private final SuspensionWatch suspension;
    private volatile LongConsumer listener = surplus -> {};
    private volatile long lastSurplus;

    /** Begins to compare. */
    public Clocks(TimeSource time) {
        this.time = time;
        this.suspension = new SuspensionWatch(time);
    }

    /** Sets the listener for jumps of a clock; it is called on the thread that finds one. */
    public void onJump(LongConsumer surplusListener) {
        listener = surplusListener;
    }

    /** The clocks themselves. */
    public TimeSource time() {
        return time;
    }

    /** Monotonic time in ns. */
    public long now() {
        return time.nanoTime();
    }

    /** The sum in ns by which the wall clock has run ahead of the monotonic clock so far; notifies nobody. */
    public long surplus() {
        return suspension.check();
    }

    /** Returns the same sum, after the listener has dealt with it if it has grown. */
    public long check() {
        long surplus = suspension.check();
        if (surplus != lastSurplus) {
            listener.accept(surplus);
        }
        lastSurplus = surplus;
        return surplus;
    }
}
