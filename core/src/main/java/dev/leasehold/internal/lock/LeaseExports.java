package dev.leasehold.internal.lock;

import dev.leasehold.event.LossCause;
import dev.leasehold.internal.acquire.ExportedLease;
import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.lease.LeaseEvent;
import dev.leasehold.internal.lease.LeaseEvents;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseState;
import dev.leasehold.internal.lease.LeaseTable;
import dev.leasehold.internal.lease.LeaseValidity;
import dev.leasehold.internal.lease.LocalSharing;
import dev.leasehold.internal.renew.LeaseExtensions;
import dev.leasehold.internal.retain.RetainedLocks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exports leases to other processes. Until another process takes it over, an exported lease is held and renewed as any other.
 * It is not handed off within this process, because its string stands for this lease and for none after it.
 */
public final class LeaseExports {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.leases");

    private final LeaseTable leases;
    private final LeaseEvents events;
    private final LeaseValidity validity;
    private final LocalSharing sharing;
    private final RetainedLocks retained;
    private final LeaseExtensions extensions;

    public LeaseExports(
            LeaseTable leases,
            LeaseEvents events,
            LeaseValidity validity,
            LocalSharing sharing,
            RetainedLocks retained,
            LeaseExtensions extensions) {
        this.leases = leases;
        this.events = events;
        this.validity = validity;
        this.sharing = sharing;
        this.retained = retained;
        this.extensions = extensions;
    }

    /**
     * Returns the string with which another process takes the lease over. Sends nothing for the lease, unless too little of it is
     * left; but those who wait behind it in this process ask Redis from now on, because the lock becomes free in another.
     */
    String export(LeaseRecord record) {
        if (record.key().kind() != LockKind.STANDARD) {
            throw LockMessages.notExportable(record.key());
        }
        boolean before = record.exported();
        // Before its state is read: so a concurrent release either sees the flag and hands off nothing, or is seen
        // here.
        record.exported(true);
        try {
            extensions.ensureHeld(record);
            if (record.options().retainFor() != null) {
                retained.adopt(record);
                // Only the rest of the retention may be left of its hold.
                extensions.renewIfOverdue(record);
            }
            extensions.ensureHeld(record);
            if (record.plan().stopped() == LossCause.EXPIRED && extensions.isOverdue(record)) {
                throw LockMessages.notExportable(record.key(), validity.remaining(record));
            }
        } catch (RuntimeException e) {
            // No string was returned, so closing it releases it, or reports the loss, as usual.
            record.exported(before);
            throw e;
        }
        sharing.handsOffNothing(record);
        return ExportedLease.of(record).encode();
    }

    /**
     * Closes an exported lease without releasing its hold, so that another process can still take it over.
     *
     * @return false if it was not exported, and nothing was done
     */
    public boolean letStand(LeaseRecord record) {
        if (!record.exported()) {
            return false;
        }
        if (record.releaseCalled().became(LeaseState.RELEASING)) {
            leases.beforeRelease();
            leases.forget(record);
            record.apply(LeaseEvent.RELEASE_CONFIRMED);
            events.exported(record);
            sharing.handsOffNothing(record);
            LOG.debug(
                    "the hold of lock {} stays until its lease ends, because it was exported and may be resumed",
                    record.key());
        }
        return true;
    }
}
