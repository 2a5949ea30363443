package dev.leasehold.internal.lock;

import dev.leasehold.Lease;
import dev.leasehold.MultiLease;
import dev.leasehold.internal.lease.LeaseBundle;
import dev.leasehold.internal.lease.LeaseEvents;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseValidity;
import dev.leasehold.internal.lease.Reachability;
import dev.leasehold.internal.release.Releases;
import dev.leasehold.internal.renew.LeaseExtensions;
import dev.leasehold.internal.request.Drivers;
import org.jspecify.annotations.Nullable;

/** Creates leases as callers see them. */
public final class LeaseHandles {

    final Drivers drivers;
    final Releases releases;
    final LeaseEvents events;
    final LeaseValidity validity;
    final LeaseExtensions extensions;
    final LeaseExports exports;

    public LeaseHandles(
            Drivers drivers,
            Releases releases,
            LeaseEvents events,
            LeaseValidity validity,
            LeaseExtensions extensions,
            LeaseExports exports) {
        this.drivers = drivers;
        this.releases = releases;
        this.events = events;
        this.validity = validity;
        this.extensions = extensions;
        this.exports = exports;
    }

    /** The lease that an acquisition returns: if it becomes unreachable, its renewal stops. */
    Lease of(LeaseRecord record, String acquiredAt) {
        Lease handle = ofThread(record);
        record.watch(new LeakDetector(handle, acquiredAt));
        return handle;
    }

    /** A view of what a thread holds: the thread, not this view, decides how long it is renewed. */
    Lease ofThread(LeaseRecord record) {
        return new LeaseHandle(this, record);
    }

    /** The lease of several locks: if it becomes unreachable, renewal of all of them stops. */
    MultiLease of(LeaseBundle bundle, String acquiredAt) {
        MultiLease handle = new MultiLeaseHandle(drivers, releases, events, validity, extensions, bundle);
        Reachability reachability = new LeakDetector(handle, acquiredAt);
        bundle.records.forEach(record -> record.watch(reachability));
        return handle;
    }

    /** The record of a lease of this client; null if it belongs to another. */
    @Nullable
    LeaseRecord recordOf(Lease lease) {
        return lease instanceof LeaseHandle handle ? handle.recordOf(this) : null;
    }
}
