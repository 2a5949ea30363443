package dev.leasehold.internal.wait;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LocalGrant;
import dev.leasehold.internal.store.Waiter;
import org.jspecify.annotations.Nullable;

/**
 * One acquisition as its waiters' queue sees it. Used by the one driver of that acquisition; polls and hand-offs are
 * requested by any thread. The default methods are those of an acquisition that waits in no queue.
 */
public interface QueueEntry {

    /** The entry of an acquisition that tries once, or polls. */
    QueueEntry NONE = new QueueEntry() {};

    /** Sets what ends a pause of the acquisition. */
    default void wakeBy(Runnable wake) {}

    /** Takes the request for a poll, if there was one since the last call: then the acquisition polls at once. */
    default boolean takePollRequest() {
        return false;
    }

    /** Returns whether the acquisition need not poll, because others of this process hand the lock to it. */
    default boolean waitsLocally() {
        return false;
    }

    /** Returns whether no other acquisition of this process waits for the lock. */
    default boolean isAlone() {
        return true;
    }

    /** Returns until when a poll that is due may be left out, because other requests act for it; now if it may not. */
    default long exemptUntil(long now, long lastPoll) {
        return now;
    }

    /** Returns how many tokens a grant of the next request reserves: one for each that may follow without a request. */
    default int tokens() {
        return 1;
    }

    /** Begins the next request. Returns how it appears in the queue of Redis, where it may take a position if it has none yet. */
    default Waiter nextWaiter(boolean takesPosition) {
        return Waiter.NONE;
    }

    /** Redis answered the latest request: the lock is taken, and this is the position; 0 for none. */
    default void positioned(long position, int rank) {}

    /** Redis answered the latest request: whether no wake-ups reach the lock's waiters, so that they poll. */
    default void polls(boolean unreached) {}

    /**
     * Redis answered a request with this position, after the acquisition gave up that request: unless a waiter has the position,
     * or may learn that it has, it is given back. On any thread.
     */
    default void positionedLate(long position) {}

    /** Joins the queue, if it is not in it. Returns whether a wake-up or a hand-off will reach the acquisition. */
    default boolean queueForWakeUp() {
        return false;
    }

    /** From here on the lock may be handed to this record, for which no request is in flight. */
    default void awaitHandOff(LeaseRecord record) {}

    /** Returns the lock, if it was handed to the acquisition, or is offered to it. */
    default @Nullable LocalGrant takeHandOff(LeaseRecord record) {
        return null;
    }

    /** From here on the lock is not handed to the acquisition. Returns the same as {@link #takeHandOff}, for the last time. */
    default @Nullable LocalGrant endHandOff(LeaseRecord record) {
        return null;
    }

    /** Takes the invitation of a reader that waited with it and has the lock: it may join that one, though a writer waits. */
    default boolean takeInvitation() {
        return false;
    }

    /** Redis does not answer, or with null does again: those behind it learn of it. */
    default void outage(@Nullable RuntimeException failure, long since) {}

    /** Returns why the first waiter of the queue gets no answer; null if it does. */
    default @Nullable Outage outage() {
        return null;
    }

    /** All other waiters of the queue decide again whether to wait any longer. */
    default void pollOthers() {}

    /** Redis granted the lock to the acquisition, which leaves. */
    default void granted(LeaseRecord record) {}

    /**
     * Leaves, and gives back the position if no other waiter needs it.
     *
     * @param unanswered the acquisition, if a request of it got no answer and so may have taken a position; else null
     */
    default void leave(@Nullable AcquisitionId unanswered) {}
}
