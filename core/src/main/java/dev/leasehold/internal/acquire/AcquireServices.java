package dev.leasehold.internal.acquire;

import dev.leasehold.internal.foreign.ChannelWaiters;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.RedissonKey;
import dev.leasehold.internal.lease.LeaseEvents;
import dev.leasehold.internal.lease.LeaseTable;
import dev.leasehold.internal.lease.LeaseTermination;
import dev.leasehold.internal.lease.TokenFloors;
import dev.leasehold.internal.renew.Watchdog;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.wait.LocalWaiters;
import dev.leasehold.internal.wait.QueueEntry;
import dev.leasehold.internal.wait.ReaderGroups;

/**
 * The parts of a client that each of its acquisitions uses.
 *
 * @param process pid@host, which inspections show beside the holder
 */
public record AcquireServices(
        RequestContext context,
        String process,
        LeaseTable leases,
        LeaseEvents events,
        LeaseTermination termination,
        TokenFloors floors,
        RecentContention contention,
        Watchdog watchdog,
        LocalWaiters waiters,
        ChannelWaiters channelWaiters,
        ReaderGroups readers) {

    /** Lets an acquisition wait where its kind of lock waits, if it waits at all for more than an interval. */
    QueueEntry join(AcquireRequest request, boolean waits) {
        LockKey key = request.key();
        if (request.fair()) {
            return waiters.joinFairly(key, waits);
        }
        if (waits && key instanceof RedissonKey redisson) {
            return channelWaiters.join(redisson);
        }
        return waits && key.kind().hasQueue() ? waiters.join(key, request.owner(), request.options()) : QueueEntry.NONE;
    }
}
