package dev.leasehold.internal.latch;

import dev.leasehold.internal.wait.WakeableEntry;

/** Where one await of a latch waits. */
final class LatchWaiter extends WakeableEntry {

    final LatchWaitGroup line;

    /** Nothing is left to count: a look of its client saw it that was sent when it waited already. */
    volatile boolean reached;

    private final long since;

    LatchWaiter(LatchWaitGroup line, long now) {
        super(false);
        this.line = line;
        this.since = now;
    }

    /** Tells it what a look saw; who came after that was sent may wait for the next latch of the name, and looks itself. */
    void reached(long sentAt) {
        if (since - sentAt <= 0) {
            reached = true;
            wake();
        }
    }
}
