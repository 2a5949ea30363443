package dev.leasehold.internal.lease;

/** The state of a lease. */
public enum LeaseState {
    /** Requested; no grant is known. */
    ACQUIRING,
    /** Held and confirmed. */
    HELD,
    /** The acquire got no answer: the lease is not valid, and a hold that the acquire may have created is released. */
    UNKNOWN,
    /** A renewal got no answer: still held until its deadline. */
    UNCONFIRMED,
    /** The machine's clocks disagree: not valid until Redis has confirmed it. */
    SUSPECT,
    /** Released by its holder; Redis has not confirmed the release. */
    RELEASING,
    /** Released, or never granted. */
    RELEASED,
    /** Ended without its holder's release. */
    LOST
}
