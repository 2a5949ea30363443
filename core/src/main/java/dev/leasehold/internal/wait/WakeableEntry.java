package dev.leasehold.internal.wait;

import org.jspecify.annotations.Nullable;

/** An entry that can be woken: its acquisition polls at once, or at its next step if it is under way. */
public abstract class WakeableEntry implements QueueEntry {

    private volatile boolean pollRequested;
    private volatile @Nullable Runnable waker;
    private volatile boolean polls;

    /** Creates an entry whose first poll may be due at once, whatever waits before it. */
    protected WakeableEntry(boolean pollRequested) {
        this.pollRequested = pollRequested;
    }

    @Override
    public final void wakeBy(Runnable wake) {
        waker = wake;
    }

    /** Requests a poll of the acquisition and ends its pause. */
    public final void pollNow() {
        pollRequested = true;
        wake();
    }

    /** Ends the pause of the acquisition, which checks what was handed to it; it need not poll. */
    public final void wake() {
        Runnable wake = waker;
        if (wake != null) {
            wake.run();
        }
    }

    @Override
    public final void polls(boolean unreached) {
        polls = unreached;
    }

    /** Returns whether no wake-up would reach it. */
    protected final boolean polls() {
        return polls;
    }

    @Override
    public final boolean takePollRequest() {
        if (!pollRequested) {
            return false;
        }
        // The poll that follows answers a request between these two lines, too.
        pollRequested = false;
        return true;
    }
}
