package dev.leasehold.internal.engine;

import org.jspecify.annotations.Nullable;

/** A seat that can be called: its acquisition looks at once, or at its next step if it is under way. */
abstract class WakeableEntry implements QueueEntry {

    private volatile boolean called;
    private volatile @Nullable Runnable waker;

    /**
     * Takes a seat.
     *
     * @param called whether the first look is due at once, whoever stands before it
     */
    WakeableEntry(boolean called) {
        this.called = called;
    }

    @Override
    public final void wakeBy(Runnable wake) {
        waker = wake;
    }

    final void call() {
        called = true;
        wake();
    }

    /** Ends the pause of its acquisition, which sees for itself what has come; it need not look for that. */
    final void wake() {
        Runnable wake = waker;
        if (wake != null) {
            wake.run();
        }
    }

    @Override
    public final boolean called() {
        if (!called) {
            return false;
        }
        // A call between the two lines is answered by the look that follows.
        called = false;
        return true;
    }
}
