package dev.leasehold.event;

import dev.leasehold.diagnostics.Diagnostics;
import dev.leasehold.inspect.Inspector;

/**
 * A listener for the events of all locks of one client. Methods but {@link #started} run on the client's event executor, never under a
 * lock and never on the threads that renew. They are called one after another, in the order of the events, on changing
 * threads. The client logs an exception that a method throws; it has no other effect.
 *
 * <p>A method that blocks delays only the other events of this listener. While 10,000 of its events are waiting, further
 * ones are left out, and the log says so: a lease, a wait or a retention that begins then is reported neither at its
 * start nor at its end. Losses are never left out, unless a million events are waiting.
 */
public interface LeaseholdListener {

    /**
     * Called once, when the client has been built and before any event, by the thread that builds it.
     *
     * @param inspector the client's, for what no event tells; it works until the client is closed
     * @param diagnostics the client's, for the same
     */
    default void started(Inspector inspector, Diagnostics diagnostics) {}

    /**
     * Called when a lock was acquired.
     *
     * @param event the event
     */
    default void acquired(AcquiredEvent event) {}

    /**
     * Called when an acquisition failed because other callers held the lock.
     *
     * @param event the event
     */
    default void busy(BusyEvent event) {}

    /**
     * Called when an acquisition failed with an exception.
     *
     * @param event the event
     */
    default void failed(FailedEvent event) {}

    /**
     * Called when an acquisition has found the lock held, and waits. A candidate of an election, which may stand for days, is no
     * waiter.
     *
     * @param event the event
     */
    default void waiting(WaitingEvent event) {}

    /**
     * Called when an acquisition that waited has ended, with any outcome: once for each call of {@link #waiting}.
     *
     * @param event the event
     */
    default void waitEnded(WaitEndedEvent event) {}

    /**
     * Called when a lease was renewed.
     *
     * @param event the event
     */
    default void renewed(RenewedEvent event) {}

    /**
     * Called when a renewal of a lease was not confirmed: at each try.
     *
     * @param event the event
     */
    default void renewalFailed(RenewalFailedEvent event) {}

    /**
     * Called when a lease was released, by its holder or by the client on its behalf.
     *
     * @param event the event
     */
    default void released(ReleasedEvent event) {}

    /**
     * Called when the hold of a lease that was released is retained for the next lease of this client.
     *
     * @param event the event
     */
    default void retained(RetainedEvent event) {}

    /**
     * Called when a hold that was retained without a lease is used again, released or lost: once for each call of
     * {@link #retained}.
     *
     * @param event the event
     */
    default void retentionEnded(RetentionEndedEvent event) {}

    /**
     * Called when an exported lease was closed in this process. Its hold stays, so this is neither a release nor a
     * loss.
     *
     * @param event the event
     */
    default void exported(ExportedEvent event) {}

    /**
     * Called when a lease was lost.
     *
     * @param event the event
     */
    default void lost(LossEvent event) {}

    /**
     * Called when a client has requested that the holder of a lease release it: once for each lease.
     *
     * @param event the event
     */
    default void releaseRequested(ReleaseRequestedEvent event) {}

    /**
     * Called when a lease has been held for a long time.
     *
     * @param event the event
     */
    default void heldLong(HeldLongEvent event) {}

    /**
     * Called when a caller of this client waits for others that wait for each other: once for each deadlock, by a client that was
     * told to look for them ({@code LeaseholdBuilder.deadlockCheck}).
     *
     * @param event the event
     */
    default void deadlock(DeadlockEvent event) {}
}
