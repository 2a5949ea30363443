package dev.leasehold.internal.wait;

import dev.leasehold.internal.lease.SharedReadHold;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What follows from a change of a local queue. It is done by {@link QueueUpdates} after the change, outside the map.
 *
 * @param next the waiter that polls now; null if none does
 * @param leftPosition the position in Redis that an empty queue leaves; 0 if there is none
 * @param notClaimed positions that were woken and belong to nobody
 * @param readersAlone readers for which this process keeps the lock though none of its writers waits; null if there are none
 * @param readersPoll whether waiting readers poll Redis, because no writer of this process will let them in
 */
record QueueUpdate(
        @Nullable LocalQueueEntry next,
        long leftPosition,
        Set<Long> notClaimed,
        @Nullable SharedReadHold readersAlone,
        boolean readersPoll) {

    QueueUpdate withReadersPolling() {
        return new QueueUpdate(next, leftPosition, notClaimed, readersAlone, true);
    }
}
