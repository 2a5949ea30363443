package dev.leasehold.internal.wait;

import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LocalGrant;
import dev.leasehold.internal.script.Waiter;
import org.jspecify.annotations.Nullable;

/**
 * Where one acquisition waits. Used by the one driver of that acquisition; calls and hand-overs come from any thread. As
 * it stands here it is the seat of one that does not wait in a queue.
 */
public interface QueueEntry {

    /** Who asks once, or polls. */
    QueueEntry NONE = new QueueEntry() {};

    /** What ends the pause of whoever drives the acquisition. */
    default void wakeBy(Runnable wake) {}

    /** Whether it was called since this was asked last: then it looks at once. */
    default boolean called() {
        return false;
    }

    /** Whether it need not look, because the lock comes to it from others of this process. */
    default boolean behind() {
        return false;
    }

    /**
     * Until when it need not look though its time has come, because others have looked for it.
     *
     * @param lastLook when it should look in any case
     */
    default long sparedUntil(long now, long lastLook) {
        return now;
    }

    /**
     * As whom it asks Redis next.
     *
     * @param take whether it takes a place if it has none yet
     */
    default Waiter waiter(boolean take) {
        return Waiter.NONE;
    }

    /** Redis answered who asked last that the lock is taken, and told the place: 0 for none. */
    default void placed(long place, int rank) {}

    /** The same, but it does not wait for this answer any more: if nobody has the place, it is given back. On any thread. */
    default void placedLate(long place) {}

    /** Whether a wake-up or a hand-over will come to it. */
    default boolean willBeCalled() {
        return false;
    }

    /** From here on the lock may be handed to this record, of which nothing is on its way to Redis. */
    default void ready(LeaseRecord record) {}

    /** The lock, if it was handed to it, or is open to it. */
    default @Nullable LocalGrant take(LeaseRecord record) {
        return null;
    }

    /** Whether it may join the readers who have come in, though somebody waits to write: it has waited with the first of them. */
    default boolean invited() {
        return false;
    }

    /** From here on the lock does not come to it. Returns what {@link #take} would, for the last time. */
    default @Nullable LocalGrant close(LeaseRecord record) {
        return null;
    }

    /** Redis answers, or does not: what those behind know of it. */
    default void trouble(@Nullable RuntimeException failure, long since) {}

    /** Why the first of the line gets no answer; null if it does. */
    default LocalQueue.@Nullable Trouble trouble() {
        return null;
    }

    /** All others of the line judge anew whether to wait any longer. */
    default void callOthers() {}

    /** Redis gave it the lock. */
    default void granted(LeaseRecord record) {}

    /** Ends it; the place is given back. */
    default void leave() {}
}
