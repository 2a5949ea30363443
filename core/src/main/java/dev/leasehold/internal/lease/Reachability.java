package dev.leasehold.internal.lease;

/** The reachability of the handle of a lease, for the detection of leaks. */
public interface Reachability {

    /** Returns whether the application can still release the lease. */
    boolean reachable();

    /** Returns the call site at which the lease was acquired. */
    String acquiredAt();
}
