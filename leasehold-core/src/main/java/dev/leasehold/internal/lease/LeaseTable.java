package dev.leasehold.internal.lease;

import dev.leasehold.LockOptions;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** All leases of a client that are being acquired or held, by the id of their acquisition. Safe for use by any thread. */
public final class LeaseTable {

    private final Supplier<AcquisitionId> ids;
    private final ThreadHolds holds;
    private final Map<AcquisitionId, LeaseRecord> records = new ConcurrentHashMap<>();
    private final AtomicLong releases = new AtomicLong();

    public LeaseTable(Supplier<AcquisitionId> ids, ThreadHolds holds) {
        this.ids = ids;
        this.holds = holds;
    }

    /** Adds a lease that is about to be acquired: before its request is sent, so that no grant is ever without its record. */
    public LeaseRecord add(
            LockKey key, @Nullable OwnerKey owner, LockOptions options, @Nullable Thread thread, boolean tied) {
        AcquisitionId id = ids.get();
        LeaseRecord record = new LeaseRecord(key, id, owner, options, thread, tied);
        records.put(id, record);
        return record;
    }

    /** Drops a lease: from here on it is not renewed. Synchronous, by id. */
    public void forget(LeaseRecord record) {
        records.remove(record.id());
        record.cancelTimer();
        holds.forget(record);
    }

    public Collection<LeaseRecord> all() {
        return records.values();
    }

    public boolean isEmpty() {
        return records.isEmpty();
    }

    /**
     * Orders what a holder did before its release before what the next holder of this process does after its grant, as
     * {@link java.util.concurrent.locks.Lock} demands, whatever threads of the transport were in between.
     */
    public void beforeRelease() {
        releases.incrementAndGet();
    }

    /** The other side of {@link #beforeRelease}. */
    public long afterGrant() {
        return releases.get();
    }
}
