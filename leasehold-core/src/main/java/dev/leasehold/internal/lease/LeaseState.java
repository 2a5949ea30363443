package dev.leasehold.internal.lease;

/** Where a lease is in its life. */
public enum LeaseState {
    /** Requested; nothing is held as far as anybody knows. */
    ACQUIRING,
    /** Held and confirmed. */
    HELD,
    /** The acquire got no answer: there is no validity, and whatever it took is given back. */
    UNKNOWN,
    /** A renewal got no answer: held until its deadline all the same. */
    UNCONFIRMED,
    /** The machine's clocks disagree: not to be relied on until Redis has confirmed it. */
    SUSPECT,
    /** Given back by its holder; Redis has not confirmed it. */
    RELEASING,
    /** Given back, or never had. */
    RELEASED,
    /** Ended without its holder's release. */
    LOST
}
