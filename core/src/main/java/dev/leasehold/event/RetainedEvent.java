package dev.leasehold.event;

/**
 * The hold of a lease that was released stays in Redis, as {@link dev.leasehold.LockOptions#retainFor()} says: until another
 * lease of this client uses it again, no lease has the lock.
 *
 * @param lockName the lock
 */
public record RetainedEvent(String lockName) {}
