package dev.leasehold.event;

/**
 * Hears what happens to all locks of one client. Methods run on the client's event executor, never under a lock and
 * never on the threads that renew; one that blocks delays only other events. What they throw is logged and breaks
 * nothing. Two events of one lease may be told by different threads.
 */
public interface LeaseholdListener {

    /**
     * A lock was acquired.
     *
     * @param event what happened
     */
    default void acquired(AcquiredEvent event) {}

    /**
     * An acquisition was given up because others held the lock.
     *
     * @param event what happened
     */
    default void busy(BusyEvent event) {}

    /**
     * An acquisition found the lock held, and waits.
     *
     * @param event what happened
     */
    default void waiting(WaitingEvent event) {}

    /**
     * An acquisition that waited is over, in whatever way. Told once for each that was told as waiting.
     *
     * @param event what happened
     */
    default void waitEnded(WaitEndedEvent event) {}

    /**
     * A lease was renewed.
     *
     * @param event what happened
     */
    default void renewed(RenewedEvent event) {}

    /**
     * A lease was released, by its holder or by the client in its place.
     *
     * @param event what happened
     */
    default void released(ReleasedEvent event) {}

    /**
     * A lease that was exported is closed here. Its hold stays, so this is neither a release nor a loss.
     *
     * @param event what happened
     */
    default void exported(ExportedEvent event) {}

    /**
     * A lease was lost.
     *
     * @param event what happened
     */
    default void lost(LossEvent event) {}

    /**
     * Somebody asked the holder of a lease to release it; told once for each lease.
     *
     * @param event what happened
     */
    default void releaseRequested(ReleaseRequestedEvent event) {}

    /**
     * A lease has been held for long.
     *
     * @param event what happened
     */
    default void heldLong(HeldLongEvent event) {}
}
