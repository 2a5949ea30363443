package dev.leasehold.event;

import org.jspecify.annotations.Nullable;

/**
 * A listener for one acquisition and its lease. Apart from {@link #label()}, methods run on the client's event
 * executor, never under a lock, one after another in the order of the events: {@link #acquired} and then one of
 * {@link #released}, {@link #lost} and {@link #exported}, or {@link #notAcquired} alone. The client logs an exception
 * that a method throws; it has no other effect.
 */
public interface LockTrace {

    /**
     * Returns the text that {@code inspect} shows beside the holder, unless the options have a label. Called once, on
     * the caller's thread, right after {@link LockTracer#begins(String)}; an exception that it throws is logged.
     *
     * @return a short text, such as a trace id, of which 63 bytes of UTF-8 are kept; or null for none, the default
     */
    default @Nullable String label() {
        return null;
    }

    /**
     * Called when the lock was acquired.
     *
     * @param event the event
     */
    default void acquired(AcquiredEvent event) {}

    /**
     * Called when the acquisition has ended without a lease.
     *
     * @param outcome how it ended: any value but {@link WaitOutcome#ACQUIRED}
     * @param failure the exception that the caller received, or null if the lock was busy or the caller cancelled
     */
    default void notAcquired(WaitOutcome outcome, @Nullable RuntimeException failure) {}

    /**
     * Called when the lease was released, by its holder or by the client on its behalf.
     *
     * @param event the event
     */
    default void released(ReleasedEvent event) {}

    /**
     * Called when the lease was lost before it was released.
     *
     * @param event the event
     */
    default void lost(LossEvent event) {}

    /**
     * Called when the lease was exported and then closed in this process.
     *
     * @param event the event
     */
    default void exported(ExportedEvent event) {}
}
