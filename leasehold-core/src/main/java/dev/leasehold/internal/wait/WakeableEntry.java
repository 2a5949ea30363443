package dev.leasehold.internal.wait;

import org.jspecify.annotations.Nullable;

/** A seat that can be called: its acquisition looks at once, or at its next step if it is under way. */
public abstract class WakeableEntry implements QueueEntry {

    private volatile boolean called;
    private volatile @Nullable Runnable waker;

    /**
     * Takes a seat.
     *
     * @param called whether the first look is due at once, whoever stands before it
     */
    protected WakeableEntry(boolean called) {
        this.called = called;
    }

    @Override
    public final void wakeBy(Runnable wake) {
        waker = wake;
    }

    public final void call() {
        called = true;
        wake();
    }

    /** Ends the pause of its acquisition, which sees for itself what has come; it need not look for that. */
    public final void wake() {
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
