package dev.leasehold.internal.latch;

import dev.leasehold.internal.wait.WakeableEntry;

/** One waiter for a latch. */
final class LatchWaiter extends WakeableEntry {

    final LatchWaitGroup group;

    /** Whether the count is 0, as a poll of its client found that was sent when it waited already. */
    volatile boolean reached;

    /** Its place among the waiters of its group. */
    final long number;

    private final long since;

    LatchWaiter(LatchWaitGroup group, long number, long now) {
        super(false);
        this.group = group;
        this.number = number;
        this.since = now;
    }

    /** Wakes the waiter if it waited when the poll was sent; a later one may wait for the next latch of the name, and polls itself. */
    void reached(long sentAt) {
        if (since - sentAt <= 0) {
            reached = true;
            wake();
        }
    }
}
