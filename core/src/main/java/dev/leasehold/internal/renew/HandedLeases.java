package dev.leasehold.internal.renew;

import dev.leasehold.event.LossCause;
import dev.leasehold.internal.lease.LeaseEvent;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseTable;
import dev.leasehold.internal.lease.LeaseTermination;
import dev.leasehold.internal.lease.LocalGrant;

/** Begins the leases to which this process hands off a hold, and gives back a hold that no lease took. */
public final class HandedLeases {

    private final LeaseTable leases;
    private final LeaseTermination termination;
    private final Watchdog watchdog;

    public HandedLeases(LeaseTable leases, LeaseTermination termination, Watchdog watchdog) {
        this.leases = leases;
        this.termination = termination;
        this.watchdog = watchdog;
    }

    /** The lease has the hold from here on, and is renewed. */
    public void begin(LeaseRecord record, LocalGrant grant) {
        record.handed(grant);
        LossCause denied = grant.hold().handedTo(record);
        watchdog.confirmed(record);
        if (denied != null) {
            termination.disown(record, LeaseEvent.DISOWNED, denied, null);
        }
    }

    /** Gives a hold of which too little is left back to Redis. */
    public void giveBack(LocalGrant grant, LeaseRecord like) {
        LeaseRecord last = leases.add(like.key(), null, like.options(), null, false);
        last.handed(grant);
        termination.giveBack(last);
    }
}
