package dev.leasehold.event;

import org.jspecify.annotations.Nullable;

/**
 * Hears of one acquisition and of the lease that it brought. Besides {@link #label()}, methods run on the client's event
 * executor, never under a lock, one after another in the order of what happened: {@link #acquired} and then one of
 * {@link #released}, {@link #lost} and {@link #exported}, or {@link #notAcquired} alone. What they throw is logged and breaks
 * nothing.
 */
public interface LockTrace {

    /**
     * What {@code inspect} shows beside the holder, unless the options have a label of their own. Asked once, on the thread of
     * the caller, right after the beginning; what it throws is logged.
     *
     * @return a few words, such as a trace id, of which 63 bytes of UTF-8 are kept; or null for none, the default
     */
    default @Nullable String label() {
        return null;
    }

    /**
     * The lock was acquired.
     *
     * @param event what happened
     */
    default void acquired(AcquiredEvent event) {}

    /**
     * The acquisition is over without a lease.
     *
     * @param outcome how: all but {@link WaitOutcome#ACQUIRED}
     * @param failure what the caller was told, or null if the lock was busy or the caller left
     */
    default void notAcquired(WaitOutcome outcome, @Nullable RuntimeException failure) {}

    /**
     * The lease was released, by its holder or by the client in its place.
     *
     * @param event what happened
     */
    default void released(ReleasedEvent event) {}

    /**
     * The lease was lost, before anybody released it.
     *
     * @param event what happened
     */
    default void lost(LossEvent event) {}

    /**
     * The lease was exported and then closed here.
     *
     * @param event what happened
     */
    default void exported(ExportedEvent event) {}
}
