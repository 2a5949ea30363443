package dev.leasehold.event;

import java.time.Duration;

/**
 * A lock was acquired.
 *
 * @param lockName the lock
 * @param owner the owner of the lease
 * @param fencingToken the token of the lease; 0 for a plain lock, which has none
 * @param waited the time from the call to the grant
 * @param tries the number of requests that the acquisition sent
 * @param handedOff whether another lease of this process handed off the lock, without a request to Redis
 * @param leader whether a candidate of an election acquired it, and leads for as long as it has the lease
 */
public record AcquiredEvent(
        String lockName,
        String owner,
        long fencingToken,
        Duration waited,
        int tries,
        boolean handedOff,
        boolean leader) {}
