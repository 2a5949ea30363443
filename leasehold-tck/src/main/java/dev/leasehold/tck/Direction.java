package dev.leasehold.tck;

/** The two ways through a {@link FaultProxy}. */
public enum Direction {
    /** Requests. */
    TO_SERVER,
    /** Replies and messages. */
    TO_CLIENT
}
