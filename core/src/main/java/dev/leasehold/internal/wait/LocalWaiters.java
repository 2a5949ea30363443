package dev.leasehold.internal.wait;

import dev.leasehold.LockOptions;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.key.PermitKey;
import dev.leasehold.internal.key.ReadKey;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LocalGrant;
import dev.leasehold.internal.renew.HandedLeases;
import dev.leasehold.internal.wakeup.WakeListener;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The waiting acquisitions of this client. Of those that wait for the same lock only the first polls Redis, at the one
 * position that the client has in the queue of the lock. A wake-up is a hint to poll, never a grant.
 *
 * <p>Within the process a lock is handed from one waiter to the next without a request to Redis, as long as their leases are
 * alike; then not even the first polls.
 *
 * <p>An acquisition with a named owner polls once before it waits behind others, and whenever its owner enters through this
 * client: for it the lock may be open while it is closed to those before it.
 */
public final class LocalWaiters implements LocalQueueEntry.Services, WakeListener.Woken {

    private final LocalQueues queues;
    private final QueueUpdates updates;
    private final LocalHandOff handOff;
    private final HandedLeases handed;
    private final ReaderGroups readers;
    private final WakeListener wakeUps;
    private final FairWaiters fair;
    private final QueueHeartbeats heartbeats;

    public LocalWaiters(
            LocalQueues queues,
            QueueUpdates updates,
            LocalHandOff handOff,
            HandedLeases handed,
            ReaderGroups readers,
            WakeListener wakeUps,
            FairWaiters fair,
            QueueHeartbeats heartbeats) {
        this.queues = queues;
        this.updates = updates;
        this.handOff = handOff;
        this.handed = handed;
        this.readers = readers;
        this.wakeUps = wakeUps;
        this.fair = fair;
        this.heartbeats = heartbeats;
    }

    /** Begins to wait for a lock; the owner is null if the acquisition is its own. */
    public QueueEntry join(LockKey key, @Nullable OwnerKey owner, LockOptions options) {
        LocalQueueEntry entry = new LocalQueueEntry(this, key, owner, options);
        queues.arrive(entry);
        return entry;
    }

    /** Begins to wait for a lock at a position of its own, in the order of arrival at Redis. */
    public QueueEntry joinFairly(LockKey key, boolean waits) {
        return fair.join(key, waits);
    }

    /**
     * Lets a reader share the hold of other readers of this process; null if there is none, or if Redis must be asked.
     *
     * @param invited whether it has waited together with the first of them, so that a waiting writer is behind both
     */
    @Nullable
    public LocalGrant joinReaders(LeaseRecord reader, boolean invited) {
        if (!readers.isOpen(reader.key()) || (!invited && anyWaits(reader.key().write()))) {
            return null;
        }
        LocalGrant grant = readers.join(reader);
        if (grant != null) {
            handed.begin(reader, grant);
        }
        return grant;
    }

    private boolean anyWaits(LockKey key) {
        LocalQueue queue = queues.of(key);
        return queue != null && queue.first() != null;
    }

    @Override
    public void enqueue(LocalQueueEntry entry) {
        queues.enqueue(entry);
    }

    @Override
    public void leave(LocalQueueEntry entry, @Nullable LeaseRecord granted) {
        LockKey key = entry.key();
        if (granted == null) {
            if (!queues.endAlone(entry)) {
                updates.follow(key, queues.ifPresent(key, queue -> queue.leave(entry)));
            }
            return;
        }
        boolean handsOff = key.kind().handsOff() && !granted.ofNamedOwner() && !granted.durable();
        // Readers that wait are to know that a writer of this process has the lock.
        boolean readersWait = handsOff && waitingReaders(key) > 0;
        if (readersWait || !queues.endAlone(entry)) {
            updates.follow(key, queues.ifPresent(key, queue -> queue.granted(entry, granted, handsOff, readersWait)));
        }
    }

    @Override
    public @Nullable LocalGrant takeOffer(LocalQueueEntry entry, LeaseRecord record) {
        return handOff.take(entry, record);
    }

    @Override
    public boolean writersHandOffTo(ReadKey key, LocalQueueEntry reader) {
        return queues.writersHandOffTo(key, reader);
    }

    @Override
    public int waitingReaders(LockKey key) {
        LocalQueue toRead = queues.readersOf(key);
        return toRead == null ? 0 : toRead.size();
    }

    @Override
    public void positioned(LocalQueue queue, long position, boolean standby) {
        updates.follow(queue.key(), queues.ifPresent(queue.key(), present -> {
            if (present != queue) {
                return null;
            }
            queue.position().assigned(position, standby);
            return queue.update(false);
        }));
        heartbeats.begin(queues.size());
    }

    @Override
    public void giveUpUnlessKnown(LockKey key, long position) {
        updates.giveUpUnlessKnown(key, position);
    }

    @Override
    public void giveUpThatOf(LockKey key, AcquisitionId taker, long stays) {
        updates.giveUpThatOf(key, taker, stays);
    }

    @Override
    public void inviteOthers(LocalQueueEntry entry) {
        others(entry).forEach(LocalQueueEntry::invite);
    }

    @Override
    public void pollOthers(LocalQueueEntry entry, @Nullable OwnerKey owner) {
        for (LocalQueueEntry other : others(entry)) {
            if (owner == null || other.hasOwner(owner)) {
                other.pollNow();
            }
        }
    }

    /** The others in the queue of an entry; none while it is alone. */
    private List<LocalQueueEntry> others(LocalQueueEntry entry) {
        return entry.queue() == null ? List.of() : queues.entries(entry.key(), other -> other != entry);
    }

    @Override
    public String channelOf(LockKey key) {
        return wakeUps.channelOf(key);
    }

    @Override
    public boolean ensureSubscribed() {
        return wakeUps.reachesWaiters();
    }

    @Override
    public void woken(long position, LockKey key) {
        if (position == 0) {
            // A latch is reached.
            return;
        }
        // A fair waiter may be about to learn a position that no queue has.
        if (!updates.pollFirsts(key, queue -> queue.position().number() == position)
                && !fair.woken(position, key)
                && !fair.woken(position, PermitKey.of(key))) {
            updates.wokenUnknown(key, position);
        }
    }

    @Override
    public void pollAll() {
        fair.pollAll();
        List<LocalQueue> all = new ArrayList<>();
        queues.forEach(all::add);
        for (LocalQueue queue : all) {
            LocalQueueEntry first = queue.firstToPoll();
            if (first != null) {
                first.pollNow();
            }
        }
    }
}
