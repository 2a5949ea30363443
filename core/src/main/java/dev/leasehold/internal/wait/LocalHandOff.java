package dev.leasehold.internal.wait;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.ReadKey;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LocalGrant;
import dev.leasehold.internal.lease.LocalSharing;
import dev.leasehold.internal.lease.SharedReadHold;
import dev.leasehold.internal.renew.HandedLeases;
import dev.leasehold.internal.request.RequestContext;
import org.jspecify.annotations.Nullable;

/**
 * Hands the lock of a released lease to the next waiter of this process without a request to Redis, as long as their leases
 * are alike. {@link LocalHold} has the states of a hold that is handed off.
 */
public final class LocalHandOff implements LocalSharing {

    /** After a longer hold nobody barges: the time that a woken waiter needs to arrive counts for little. */
    private static final long SHORT_NANOS = 1_000_000;

    private final RequestContext context;
    private final LocalQueues queues;
    private final QueueUpdates updates;
    private final HandedLeases handed;
    private final ReaderGroups readers;
    private final ReaderTurns turns;

    public LocalHandOff(
            RequestContext context,
            LocalQueues queues,
            QueueUpdates updates,
            HandedLeases handed,
            ReaderGroups readers,
            ReaderTurns turns) {
        this.context = context;
        this.queues = queues;
        this.updates = updates;
        this.handed = handed;
        this.readers = readers;
        this.turns = turns;
    }

    /**
     * Returns how many waiters of this process could have the lock from a lease as it is, counting also those behind the first
     * that could not; 0 if the first could not.
     */
    public int followers(LeaseRecord from) {
        LocalQueue queue = queues.of(from.key().write());
        LocalQueue toRead = queues.readersOf(from.key());
        if (queue != null && queue.size() > 0) {
            return queue.firstFollows(from) ? queue.size() + (toRead == null ? 0 : toRead.size()) : 0;
        }
        return toRead != null && toRead.firstFollows(from) ? toRead.size() : 0;
    }

    /** Returns whether acquisitions of this process wait for the lock, to write or to read. */
    public boolean isAwaited(LockKey write) {
        return queues.of(write) != null || queues.readersOf(write) != null;
    }

    /** The position of this client in the queue of a lock, that of its readers if its writers have none; 0 if it has none. */
    public long position(LockKey write) {
        LocalQueue toWrite = queues.of(write);
        long position = toWrite == null ? 0 : toWrite.position().number();
        LocalQueue toRead = position > 0 ? null : queues.readersOf(write);
        return toRead == null ? position : toRead.position().number();
    }

    /** Hands off the lock of a lease that was released while it was beyond doubt. Returns false if no waiter takes it. */
    public boolean hand(LeaseRecord from, LocalGrant grant) {
        LocalQueue toRead = queues.readersOf(from.key());
        if (toRead != null && toRead.firstFollows(from)) {
            ReaderTurns.Turn turn = turns.begin(from, grant, ReadKey.of(from.key()));
            LocalGrant left = turn.left();
            return switch (turn.outcome()) {
                case REFUSED -> false;
                case READ -> true;
                case OVER -> left != null && handToNext(from, left);
            };
        }
        return handToNext(from, grant);
    }

    /** An offer: taken at once for the first waiter, or open to it and to those that arrive before it. */
    private record Offer(
            LocalQueueEntry first,
            LeaseRecord record,
            @Nullable QueueUpdate taken) {}

    private boolean handToNext(LeaseRecord from, LocalGrant grant) {
        LockKey write = from.key().write();
        Offer offer = queues.ifPresent(write, queue -> offer(queue, from, grant));
        if (offer == null) {
            return false;
        }
        if (offer.taken == null) {
            offer.first.wakeForOffer();
        } else {
            handed.begin(offer.record, grant);
            offer.first.pollNow();
            updates.follow(write, offer.taken);
        }
        return true;
    }

    private static @Nullable Offer offer(LocalQueue queue, LeaseRecord from, LocalGrant grant) {
        LocalQueueEntry first = queue.first();
        LeaseRecord record = first == null || !first.follows(from) ? null : first.awaiting();
        if (first == null || record == null || !grant.coversMinimum(record.options(), grant.at())) {
            return null;
        }
        if (mayBarge(from, grant) && queue.hold().mayBarge(grant.at())) {
            queue.hold().offer(grant, record);
            return new Offer(first, record, null);
        }
        return first.deliver(record, grant) ? new Offer(first, record, queue.take(first, record)) : null;
    }

    private static boolean mayBarge(LeaseRecord from, LocalGrant grant) {
        // A lease without renewal needs nearly the whole hold, of which nothing may be lost while the waiter arrives.
        return from.options().renewal().enabled() && grant.at() - from.grantedAt() < SHORT_NANOS;
    }

    /** What came of an open offer: it was taken, with what follows, or too little is left of the hold. */
    private record Taken(LocalGrant grant, @Nullable QueueUpdate update) {}

    /** Takes an open offer, unless too little is left of the hold by now: then the first waiter gives it back and polls. */
    @Nullable
    LocalGrant take(LocalQueueEntry entry, LeaseRecord record) {
        long now = context.now();
        long surplus = context.surplus();
        Taken taken = queues.ifPresent(record.key(), queue -> {
            LocalGrant offer = queue.hold().offer();
            if (offer == null || !queue.handsOffTo(entry)) {
                return null;
            }
            if (offer.covers(record.options(), now, surplus)) {
                return new Taken(offer.takenAt(now), queue.take(entry, record));
            }
            if (queue.first() != entry) {
                return null;
            }
            queue.hold().end();
            return new Taken(offer, null);
        });
        if (taken == null) {
            return null;
        }
        if (taken.update == null) {
            handed.giveBack(taken.grant, record);
            entry.pollNow();
            updates.pollReaders(record.key());
            return null;
        }
        handed.begin(record, taken.grant);
        updates.follow(record.key(), taken.update);
        return taken.grant;
    }

    @Override
    public boolean leave(LeaseRecord record, boolean clean) {
        return readers.leave(record, clean);
    }

    @Override
    public void handsOffNothing(LeaseRecord record) {
        SharedReadHold reading = record.reading();
        LeaseRecord holder = reading == null ? record : reading.writer();
        if (holder != null && (reading == null || reading.over())) {
            updates.follow(
                    holder.key(),
                    queues.ifPresent(
                            holder.key(), queue -> queue.hold().isHeldBy(holder, reading) ? queue.endHold() : null));
        }
    }
}
