package dev.leasehold.event;

/**
 * Somebody asked the holder of a lock to release it.
 *
 * @param lockName the lock
 * @param owner the owner of the lease that was asked
 * @param fencingToken the token of the lease
 */
public record ReleaseRequestedEvent(String lockName, String owner, long fencingToken) {}
