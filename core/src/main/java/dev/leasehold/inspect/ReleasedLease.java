package dev.leasehold.inspect;

/**
 * A lease that {@link dev.leasehold.Leasehold#releaseAll()} took away from its holder.
 *
 * @param lockName the name of the lock
 * @param owner the named owner, or the first characters of the id of the acquisition
 * @param fencingToken the token of the lease; 0 for a plain lock, which has none
 * @param confirmed whether Redis answered that it no longer has the hold; if not, the client repeats the release in the
 *     background until the hold ends
 */
public record ReleasedLease(String lockName, String owner, long fencingToken, boolean confirmed) {}
