package dev.leasehold.internal.lock;

import dev.leasehold.LeaseLostException;
import dev.leasehold.LeaseholdException;
import dev.leasehold.LockOptions;
import dev.leasehold.event.LossEvent;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.key.PermitKey;
import dev.leasehold.internal.key.ReadKey;
import dev.leasehold.internal.lease.LeaseMessages;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.time.WaitLimit;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
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

    /** How often the calling thread has locked without unlocking; a lost lease holds nothing. */
    int count() {
        ThreadHolds.Hold hold = hold();
        return hold == null || !holds(services, hold.record) ? 0 : hold.count;
    }

    /** Records that the calling thread has acquired the lock. */
    void keep(LeaseRecord record) {
        services.holds().put(key, owner, record);
    }

    /** Counts once more if this thread holds the lock. A lost lease holds nothing, so the thread locks anew. */
    boolean reenter() {
        services.context().ensureOpen();
        ThreadHolds.Hold hold = hold();
        if (hold == null || !stillHeld(hold.record)) {
            return enterUnderWriteLock();
        }
        hold.count = Math.addExact(hold.count, 1);
        return true;
    }

    private boolean stillHeld(LeaseRecord record) {
        if (!holds(services, record)) {
            return false;
        }
        try {
            services.extensions().ensureHeld(record);
            return true;
        } catch (LeaseLostException e) {
            return false;
        }
    }

    /** Refuses a wait without a limit for a hold of the calling thread that lasts until this thread unlocks. */
    static void refuseToWaitForItself(
            LockServices services, LockKey key, @Nullable OwnerKey owner, LockOptions options, WaitLimit limit) {
        if (limit.kind() == WaitLimit.Kind.UNLIMITED && options.waitStrategy().maxTries() == Integer.MAX_VALUE) {
            ownHold(services, key, owner, ThreadReentry::endsByUnlockOnly).ifPresent(own -> {
                throw LockMessages.waitsForItself(key, own);
            });
        }
    }

    private static boolean endsByUnlockOnly(LeaseRecord own) {
        return own.renews() && own.renewal().unlimited() && own.options().maxHold() == null && !own.exported();
    }

    /** Returns such a hold by which the calling thread itself keeps the lock from an acquisition of its own; empty if it has none. */
    static Optional<LeaseRecord> ownHold(
            LockServices services, LockKey key, @Nullable OwnerKey owner, Predicate<LeaseRecord> such) {
        ThreadHolds holds = services.holds();
        if (holds.isEmpty()) {
            // Nothing is looked up for callers that use leases.
            return Optional.empty();
        }
        if (key instanceof PermitKey permits) {
            return ownPermits(services, permits, such);
        }
        LockKey written = key instanceof ReadKey read ? read.write() : key;
        Stream<LeaseRecord> own = Stream.concat(
                recordOf(holds.current(written, null)),
                holds.asNamedOwner(written).filter(record -> !record.owner().equals(owner)));
        if (key.kind() == LockKind.STANDARD) {
            own = Stream.concat(recordOf(holds.current(ReadKey.of(key), null)), own);
        }
        return own.filter(record -> holds(services, record) && such.test(record))
                .findFirst();
    }

    /** Others may give back permits, unless those of the calling thread alone are too many. */
    private static Optional<LeaseRecord> ownPermits(LockServices services, PermitKey key, Predicate<LeaseRecord> such) {
        List<LeaseRecord> own = services.holds()
                .permits(key)
                .filter(record -> holds(services, record) && such.test(record))
                .toList();
        int left = key.total()
                - own.stream()
                        .mapToInt(record -> ((PermitKey) record.key()).wanted())
                        .sum();
        return left < key.wanted() ? own.stream().findFirst() : Optional.empty();
    }

    /** Returns a hold that the calling thread has by another view: of the other side, as another owner, of other permits. */
    private Optional<LeaseRecord> byOtherView() {
        return key instanceof PermitKey permits
                ? services.holds().permits(permits).findFirst()
                : ownHold(services, key, owner, own -> true);
    }

    private static Stream<LeaseRecord> recordOf(ThreadHolds.@Nullable Hold hold) {
        return Stream.ofNullable(hold).map(held -> held.record);
    }

    /** Returns whether a lease holds its lock, perhaps in doubt; one whose deadline has passed is lost, and holds nothing. */
    private static boolean holds(LockServices services, LeaseRecord record) {
        return services.validity().valid(record) || record.holding();
    }

    /** Enters the read lock under the write lock of this thread, if it has it. */
    private boolean enterUnderWriteLock() {
        ThreadHolds.Hold writes = key instanceof ReadKey read ? services.holds().current(read.write(), null) : null;
        if (writes == null || !stillHeld(writes.record)) {
            return false;
        }
        writes.reader = services.holds().put(key, null, writes.record);
        return true;
    }

    /** Unlocks once; the last unlock ends the lease. */
    void unlock() {
        ThreadHolds.Hold hold = hold();
        if (hold == null) {
            throw byOtherView()
                    .map(own -> LockMessages.otherView(key, own))
                    .orElseGet(() -> LockMessages.notOwner(key, services.holds().anyHolder(key)));
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
