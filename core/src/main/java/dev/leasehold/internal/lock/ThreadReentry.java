package dev.leasehold.internal.lock;

import dev.leasehold.LeaseholdException;
import dev.leasehold.event.LossEvent;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.key.ReadKey;
import dev.leasehold.internal.lease.LeaseMessages;
import dev.leasehold.internal.lease.LeaseRecord;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The holds of one lock by the calling thread, as {@link java.util.concurrent.locks.Lock} counts them. */
final class ThreadReentry {

    private final LockServices services;
    private final LockKey key;
    private final @Nullable OwnerKey owner;

    ThreadReentry(LockServices services, LockKey key, @Nullable OwnerKey owner) {
        this.services = services;
        this.key = key;
        this.owner = owner;
    }

    /** The hold of the calling thread; null if it has none. */
    ThreadHolds.@Nullable Hold hold() {
        return services.holds().current(key, owner);
    }

    /** Records that the calling thread has acquired the lock. */
    void keep(LeaseRecord record) {
        services.holds().put(key, owner, record);
    }

    /** Counts once more if this thread holds the lock; a lost lease must be unlocked first. */
    boolean reenter() {
        services.context().ensureOpen();
        ThreadHolds.Hold hold = hold();
        if (hold == null) {
            return enterUnderWriteLock();
        }
        services.extensions().ensureHeld(hold.record);
        hold.count = Math.addExact(hold.count, 1);
        return true;
    }

    /** Refuses the calling thread if it would wait for itself, because it holds the other side of the lock. */
    static void refuseOtherSide(LockServices services, LockKey key) {
        if (services.holds().isEmpty()) {
            // Nothing is looked up for callers that use leases.
            return;
        }
        if (key.kind() == LockKind.STANDARD) {
            ThreadHolds.Hold reads = services.holds().current(ReadKey.of(key), null);
            if (reads != null && holds(services, reads.record)) {
                throw LockMessages.noUpgrade(key);
            }
        }
        if (key instanceof ReadKey read
                && services.holds().asNamedOwner(read.write()).anyMatch(record -> holds(services, record))) {
            throw LockMessages.noReadByName(key);
        }
    }

    /** Returns whether a lease holds its lock, perhaps in doubt; one whose deadline has passed is lost, and holds nothing. */
    private static boolean holds(LockServices services, LeaseRecord record) {
        return services.validity().valid(record) || record.holding();
    }

    /** Enters the read lock under the write lock of this thread, if it has it. */
    private boolean enterUnderWriteLock() {
        ThreadHolds.Hold writes = key instanceof ReadKey read ? services.holds().current(read.write(), null) : null;
        if (writes == null || !holds(services, writes.record)) {
            return false;
        }
        services.extensions().ensureHeld(writes.record);
        writes.reader = services.holds().put(key, null, writes.record);
        return true;
    }

    /** Unlocks once; the last unlock ends the lease. */
    void unlock() {
        ThreadHolds.Hold hold = hold();
        if (hold == null) {
            throw LockMessages.notOwner(
                    key, Thread.currentThread(), services.holds().anyHolder(key));
        }
        hold.count--;
        LeaseRecord record = hold.record;
        if (hold.count == 0) {
            services.holds().remove(key, owner);
            leave(hold);
        } else {
            services.validity().valid(record);
        }
        if (record.notice().event() != null) {
            throw LeaseMessages.lost(
                    record.key(), record.owner(), record.notice().event());
        }
    }

    /**
     * Ends the hold of a thread at its last unlock. If the thread also holds the read lock, the lease is downgraded to it; a read
     * lock acquired under the write lock leaves the write lock in place.
     */
    private void leave(ThreadHolds.Hold hold) {
        LeaseRecord record = hold.record;
        ThreadHolds.Hold writes = writeHoldUnder(record);
        if (writes != null) {
            writes.reader = null;
        } else if (hold.reader != null && record.holding()) {
            try {
                hold.reader.record = services.drivers()
                        .runUninterruptibly(services.releases().downgrade(record));
            } catch (LeaseholdException e) {
                services.holds().remove(ReadKey.of(key), null);
                throw e;
            }
        } else if (!services.releases().leave(record)) {
            Optional<LossEvent> unused =
                    services.drivers().release(services.releases().of(record));
        }
    }

    /** The hold of the write lock, if this thread reads under that lease. */
    private ThreadHolds.@Nullable Hold writeHoldUnder(LeaseRecord record) {
        if (!(key instanceof ReadKey read) || record.key().kind() == LockKind.READ) {
            return null;
        }
        return services.holds().current(read.write(), null);
    }
}
