package dev.leasehold.internal.renew;

import dev.leasehold.internal.lease.LeaseRecord;

/** Sends renewals to Redis. */
interface Renewer {

    /** Renews a lease that is due, or confirms a suspect lease, unless a request for it is in flight. */
    void renew(LeaseRecord record);

    /** Asks whether Redis still has the hold of a lease, which it tracks from then on; prolongs nothing. */
    void check(LeaseRecord record);
}
