package dev.leasehold.event;

/** Why Redis did not do what was requested, by what an operator does about it. */
public enum FailureReason {
    /**
     * Redis did not answer in time, cannot be reached, or is in a state that passes, such as a failover: check that it is up and
     * reachable.
     */
    NO_ANSWER,
    /** Redis refused because it is out of memory: raise {@code maxmemory}, or remove data. */
    OUT_OF_MEMORY,
    /**
     * Redis refused because the user lacks a right or the password is wrong, or because it does not know a command: grant the
     * rights that {@code leasehold doctor} names.
     */
    NOT_PERMITTED,
    /** Too few replicas or disks acknowledged the request in time ({@code replicas(...)}, {@code onDisk(...)}): check them. */
    TOO_FEW_REPLICAS,
    /**
     * Redis or the client refused for another reason, which the message of the failure tells: the key holds other data, the clock of
     * Redis is behind, a semaphore has another number of permits, or the error is unknown.
     */
    REFUSED,
    /** The client was closed meanwhile. */
    CLOSED
}
