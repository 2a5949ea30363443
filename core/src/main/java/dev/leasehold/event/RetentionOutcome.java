package dev.leasehold.event;

/** The outcome of a retained hold that no lease used. */
public enum RetentionOutcome {
    /** The next lease of this client took the hold over, without a request to Redis. */
    REUSED,
    /** The client releases the hold: its time is over, another client asked for the lock, or the client was closed. */
    RELEASED,
    /** Redis no longer has the hold. */
    LOST
}
