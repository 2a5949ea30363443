package dev.leasehold.event;

import java.time.Duration;

/**
 * An acquisition found the lock held for the first time, and waits.
 *
 * @param lockName the lock
 * @param holderLeft how long the holder's lease lasts without another renewal
 */
public record WaitingEvent(String lockName, Duration holderLeft) {}
