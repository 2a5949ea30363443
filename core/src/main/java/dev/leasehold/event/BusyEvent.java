package dev.leasehold.event;

import java.time.Duration;

/**
 * An acquisition failed because other callers held the lock.
 *
 * @param lockName the lock
 * @param waited the time from the call to its failure
 * @param tries the number of requests that the acquisition sent
 */
public record BusyEvent(String lockName, Duration waited, int tries) {}
