package dev.leasehold.internal.store;

/** The highest fencing token a client has seen for a name; 0 if none. */
public record TokenFloor(long token) {}
