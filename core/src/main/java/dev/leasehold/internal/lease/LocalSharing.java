package dev.leasehold.internal.lease;

/** The sharing and hand-off of holds among the leases of this process. */
public interface LocalSharing {

    /**
     * Records that a lease no longer needs its hold.
     *
     * @param clean whether the lease was valid until now
     * @return whether no other lease needs the hold: this was its only lease, or the last one that shared it
     */
    boolean leave(LeaseRecord record, boolean clean);

    /**
     * Records that a lease hands off nothing, because it has ended otherwise or was exported: the first local waiter sends a
     * request to Redis.
     */
    void handsOffNothing(LeaseRecord record);
}
