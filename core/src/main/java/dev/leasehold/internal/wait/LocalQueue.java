package dev.leasehold.internal.wait;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.SharedReadHold;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The acquisitions of this client that wait for one lock, in order of arrival. Only the first one polls Redis. Changed only
 * inside the map of {@link LocalQueues}; read by any thread.
 */
public final class LocalQueue {

    private final LockKey key;
    private final Set<LocalQueueEntry> entries = new LinkedHashSet<>();
    private final QueuePosition position = new QueuePosition();
    private final LocalHold hold = new LocalHold();
    private volatile @Nullable LocalQueueEntry first;
    private volatile int size;
    private volatile @Nullable Outage outage;

    LocalQueue(LockKey key) {
        this.key = key;
    }

    LockKey key() {
        return key;
    }

    QueuePosition position() {
        return position;
    }

    LocalHold hold() {
        return hold;
    }

    @Nullable
    LocalQueueEntry first() {
        return first;
    }

    int size() {
        return size;
    }

    @Nullable
    Outage outage() {
        return outage;
    }

    /** Sets, or with null ends, the outage; by the first waiter. */
    void outage(@Nullable Outage latest) {
        outage = latest;
    }

    void add(LocalQueueEntry entry) {
        entries.add(entry);
        changed();
        entry.joined(this);
    }

    private boolean remove(LocalQueueEntry entry) {
        boolean removed = entries.remove(entry);
        changed();
        return removed;
    }

    private void changed() {
        size = entries.size();
        LocalQueueEntry next = size == 0 ? null : entries.iterator().next();
        if (first != next) {
            hold.firstChanged();
            // Before the next knows that it is the first, and sends a request.
            position.firstChanged();
            first = next;
        }
    }

    /** Returns whether no acquisition waits, and none needs to know of the hold. */
    boolean unused() {
        return size == 0 && hold.holder() == null;
    }

    List<LocalQueueEntry> entries(Predicate<LocalQueueEntry> which) {
        List<LocalQueueEntry> some = new ArrayList<>();
        for (LocalQueueEntry entry : entries) {
            if (which.test(entry)) {
                some.add(entry);
            }
        }
        return some;
    }

    /** An entry gives up, or shares the hold of other readers. Returns null if it had left before. */
    @Nullable
    QueueUpdate leave(LocalQueueEntry entry) {
        boolean wasFirst = first == entry;
        return remove(entry) ? update(wasFirst) : null;
    }

    /**
     * Redis has granted the lock to an entry. Returns null if it had left before.
     *
     * @param handsOff whether the lease may hand off the lock, if others wait
     * @param readersWait whether others wait to read
     */
    @Nullable
    QueueUpdate granted(LocalQueueEntry entry, LeaseRecord record, boolean handsOff, boolean readersWait) {
        boolean wasFirst = first == entry;
        if (!remove(entry)) {
            return null;
        }
        // Redis grants nothing while an earlier hold lasts: nobody will hand off that hold any more.
        boolean held = hold.holder() != null;
        boolean holds = handsOff && (size > 0 || readersWait);
        if (holds) {
            hold.heldBy(record);
        } else {
            hold.end();
        }
        QueueUpdate update = update(wasFirst || held);
        return held && !holds ? update.withReadersPolling() : update;
    }

    /** An entry takes the lock that is handed off within this process. */
    QueueUpdate take(LocalQueueEntry entry, LeaseRecord record) {
        if (entry != first) {
            hold.barged();
        }
        remove(entry);
        hold.heldBy(record);
        return update(true);
    }

    /** Entries have the lock together, as readers. */
    QueueUpdate takeTogether(Collection<LocalQueueEntry> readers) {
        readers.forEach(this::remove);
        return update(true);
    }

    /** The lock will not be handed off: the first waiter polls. */
    QueueUpdate endHold() {
        hold.end();
        return update(true).withReadersPolling();
    }

    /**
     * What follows from a change that is complete.
     *
     * @param nextPolls whether the first waiter polls now, unless the lock will be handed to it
     */
    QueueUpdate update(boolean nextPolls) {
        LocalQueueEntry next = nextPolls ? firstToPoll() : null;
        Set<Long> notClaimed = position.notClaimed();
        SharedReadHold alone = size == 0 ? hold.readers() : null;
        if (alone != null) {
            hold.end();
        }
        long leftPosition = size == 0 ? position.clear() : 0;
        return new QueueUpdate(next, leftPosition, notClaimed, alone, alone != null);
    }

    /** Returns whether the lock will be handed to this waiter when its turn comes. */
    boolean handsOffTo(LocalQueueEntry entry) {
        LeaseRecord from = hold.holder();
        return from != null && entry.follows(from);
    }

    /** Returns whether the first waiter can have the lock from this lease, as it is, now. */
    boolean firstFollows(LeaseRecord from) {
        LocalQueueEntry entry = first;
        return entry != null && entry.awaiting() != null && entry.follows(from);
    }

    /** The first waiter, if it has to poll; null if there is none, or if the lock will be handed to it. */
    @Nullable
    LocalQueueEntry firstToPoll() {
        LocalQueueEntry entry = first;
        return entry == null || entry.awaitsHandOff() ? null : entry;
    }
}
