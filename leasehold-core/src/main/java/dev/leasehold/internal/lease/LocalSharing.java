package dev.leasehold.internal.lease;

/** The leases of this process that share a hold, or wait to take it over: they learn when a lease no longer needs it. */
public interface LocalSharing {

    /**
     * A lease no longer needs its hold.
     *
     * @param clean whether it held the lock beyond doubt until now
     * @return whether no other lease needs the hold: it was the only one, or the last of those who shared it
     */
    boolean leave(LeaseRecord record, boolean clean);

    /** A lease has ended without handing off its hold: the first local waiter asks Redis. */
    void ended(LeaseRecord record);
}
