package dev.leasehold.event;

/**
 * A client requested that the holder of a lock release it.
 *
 * @param lockName the lock
 * @param owner the owner of the lease that is to be released
 * @param fencingToken the token of the lease
 */
public record ReleaseRequestedEvent(String lockName, String owner, long fencingToken) {}
