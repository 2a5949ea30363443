package dev.leasehold.tck;

/** The two directions through a {@link FaultProxy}. */
public enum Direction {
    /** Requests. */
    TO_SERVER,
    /** Replies and messages. */
    TO_CLIENT
}
