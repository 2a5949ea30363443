package dev.leasehold.internal.store;

import dev.leasehold.internal.key.LockKey;
import java.util.List;

/**
 * Acquires holds of several locks, one after another, until one is not granted.
 *
 * @param whole whether nothing is acquired unless all are granted
 * @param holds the requests that would acquire each alone, without waiting
 */
public record AcquireHolds(boolean whole, List<AcquireHold> holds, long timeoutNanos)
        implements LockRequest<AcquireHolds.Answer> {

    /** The result for each lock, in the order of the request; those after the first that was not granted were not tried. */
    public record Answer(ServerTime now, List<EntryResult<AcquireHold.Answer>> results) implements StoreAnswer {}

    @Override
    public LockKey key() {
        return holds.get(0).key();
    }
}
