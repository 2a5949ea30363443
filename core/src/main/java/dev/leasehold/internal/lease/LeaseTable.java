package dev.leasehold.internal.lease;

import dev.leasehold.LockOptions;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The table of all leases of a client that are being acquired or held, by the id of their acquisition. Thread-safe. */
public final class LeaseTable {

    private final Supplier<AcquisitionId> ids;
    private final Consumer<LeaseRecord> forgotten;
    private final Map<AcquisitionId, LeaseRecord> records = new ConcurrentHashMap<>();
    /** Only leases whose keys Redis tracks, by key: most leases end before that. */
    private final Map<String, Set<LeaseRecord>> tracked = new ConcurrentHashMap<>();

    private final AtomicLong releases = new AtomicLong();

    /** An empty table; it tells of leases that it forgets. */
    public LeaseTable(Supplier<AcquisitionId> ids, Consumer<LeaseRecord> forgotten) {
        this.ids = ids;
        this.forgotten = forgotten;
    }

    /** Adds a lease before its acquire is sent, so that every grant has its record. */
    public LeaseRecord add(
            LockKey key, @Nullable OwnerKey owner, LockOptions options, @Nullable Thread thread, boolean tied) {
        AcquisitionId id = ids.get();
        LeaseRecord record = new LeaseRecord(key, id, owner, options, thread, tied);
        records.put(id, record);
        return record;
    }

    /** Adds a lease that took over a hold without a request, and is renewed from now on. */
    public void add(LeaseRecord record) {
        records.put(record.id(), record);
        // A check before had no effect, since the lease was not in the table.
        record.plan().untrack();
    }

    /** Returns an id that no request has used. */
    public AcquisitionId newId() {
        return ids.get();
    }

    /** Removes a lease: when this method returns, the lease is no longer renewed. */
    public void forget(LeaseRecord record) {
        records.remove(record.id());
        record.plan().cancelWakeUp();
        if (tracked.containsKey(record.key().key())) {
            tracked.computeIfPresent(record.key().key(), (key, leases) -> without(record, leases));
        }
        forgotten.accept(record);
    }

    private static @Nullable Set<LeaseRecord> without(LeaseRecord record, Set<LeaseRecord> leases) {
        if (leases.size() == 1) {
            return leases.contains(record) ? null : leases;
        }
        leases.remove(record);
        return leases;
    }

    /** Finds a lease by its key from now on, until it is forgotten. */
    public void track(LeaseRecord record) {
        record.plan().track();
        tracked.compute(record.key().key(), (key, leases) -> with(record, leases));
        if (!records.containsKey(record.id())) {
            // It was forgotten meanwhile, or uses a retained hold.
            tracked.computeIfPresent(record.key().key(), (key, leases) -> without(record, leases));
        }
    }

    private static Set<LeaseRecord> with(LeaseRecord record, @Nullable Set<LeaseRecord> leases) {
        if (leases == null) {
            return Set.of(record);
        }
        Set<LeaseRecord> several = leases.size() == 1 ? new HashSet<>(leases) : leases;
        several.add(record);
        return several;
    }

    /** Returns the keys that Redis tracks. */
    public Set<String> trackedKeys() {
        return tracked.keySet();
    }

    /** Returns the leases of a key that Redis tracks. */
    public List<LeaseRecord> trackedAt(String key) {
        List<LeaseRecord> leases = new ArrayList<>();
        tracked.computeIfPresent(key, (same, all) -> {
            leases.addAll(all);
            return all;
        });
        return leases;
    }

    public Collection<LeaseRecord> all() {
        return records.values();
    }

    public boolean isEmpty() {
        return records.isEmpty();
    }

    /**
     * Establishes that a holder's actions before its release happen before the actions of the next holder of this process after
     * its grant, as {@link java.util.concurrent.locks.Lock} demands, whichever threads of the transport are in between.
     */
    public void beforeRelease() {
        releases.incrementAndGet();
    }

    /** The counterpart of {@link #beforeRelease}; called by the next holder. */
    public long afterGrant() {
        return releases.get();
    }
}
