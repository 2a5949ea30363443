package dev.leasehold.event;

import java.time.Duration;

/**
 * An acquisition was given up because others held the lock.
 *
 * @param lockName the lock
 * @param waited the time from the call to giving up
 * @param tries how many requests it took
 */
public record BusyEvent(String lockName, Duration waited, int tries) {}
