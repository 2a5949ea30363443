package dev.leasehold.internal.renew;

import dev.leasehold.internal.lease.LeaseRecord;

/** Sends renewals to Redis. */
interface Renewer {

    /** Renews a lease that is due, or confirms one that is suspect; unless a request for it is under way. */
    void renew(LeaseRecord record);
}
