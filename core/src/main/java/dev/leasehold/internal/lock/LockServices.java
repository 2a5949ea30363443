package dev.leasehold.internal.lock;

import dev.leasehold.internal.acquire.Acquisitions;
import dev.leasehold.internal.inspection.Inspection;
import dev.leasehold.internal.lease.LeaseEvents;
import dev.leasehold.internal.lease.LeaseTable;
import dev.leasehold.internal.lease.LeaseValidity;
import dev.leasehold.internal.release.ForcedReleases;
import dev.leasehold.internal.release.Releases;
import dev.leasehold.internal.renew.LeaseExtensions;
import dev.leasehold.internal.request.Drivers;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.retain.RetainedLocks;

/**
 * The collaborators that all views of locks share: a view is one name with options, and has no state of its own.
 *
 * @param context whether the client is open
 * @param options checks options against the client
 * @param drivers run operations
 * @param acquisitions creates acquisitions
 * @param releases creates releases
 * @param retained retained holds, which acquisitions take over
 * @param handles creates leases as callers see them
 * @param inspection reads locks
 * @param forced takes locks away from their holders
 * @param leases orders the actions of one holder before those of the next
 * @param events begins traces
 * @param validity checks leases by the local clocks
 * @param extensions checks leases by asking Redis
 * @param holds which thread holds which lock
 * @param callSites where leases are acquired
 */
public record LockServices(
        RequestContext context,
        OptionsCheck options,
        Drivers drivers,
        Acquisitions acquisitions,
        Releases releases,
        RetainedLocks retained,
        LeaseHandles handles,
        Inspection inspection,
        ForcedReleases forced,
        LeaseTable leases,
        LeaseEvents events,
        LeaseValidity validity,
        LeaseExtensions extensions,
        ThreadHolds holds,
        CallSites callSites) {}
