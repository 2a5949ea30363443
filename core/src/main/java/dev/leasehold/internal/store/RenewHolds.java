package dev.leasehold.internal.store;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.LockKey;
import java.util.List;

/** Renews holds of several locks of one kind for the same time, each as if it were alone. */
public record RenewHolds(LeaseSpan lease, List<Entry> entries, long timeoutNanos)
        implements LockRequest<RenewHolds.Answer> {

    /** A hold to be renewed. */
    public record Entry(LockKey key, AcquisitionId id) {}

    /** The result for each hold, in the order of the request. */
    public record Answer(ServerTime now, List<EntryResult<RenewHold.Answer>> results) implements StoreAnswer {}

    @Override
    public LockKey key() {
        return entries.get(0).key();
    }
}
