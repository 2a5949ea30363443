package dev.leasehold.event;

import java.time.Duration;
import java.util.List;

/**
 * A lease has been held for a long time: ten lease times, or its maximum hold.
 *
 * @param lockName the lock
 * @param owner the owner of the lease
 * @param held how long it has been held
 * @param renewalStops whether the maximum hold is reached, so that renewal stops
 * @param holderStack the stack of the thread that acquired it, innermost frame first; empty if that thread has ended
 *     or the lease was acquired asynchronously
 */
public record HeldLongEvent(
        String lockName, String owner, Duration held, boolean renewalStops, List<StackTraceElement> holderStack) {

    /** Copies the stack. */
    public HeldLongEvent {
        holderStack = List.copyOf(holderStack);
    }
}
