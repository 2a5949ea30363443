package dev.leasehold.internal.acquire;

import dev.leasehold.internal.lease.LeaseEvents;
import dev.leasehold.internal.lease.LeaseTable;
import dev.leasehold.internal.lease.LeaseTermination;
import dev.leasehold.internal.lease.TokenFloors;
import dev.leasehold.internal.renew.Watchdog;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.wait.LocalWaiters;
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
        ReaderGroups readers) {}
