package dev.leasehold.event;

import java.time.Duration;

/**
 * An acquisition found the lock held for the first time, and waits. Reported at most once per acquisition.
 *
 * @param lockName the lock
 * @param holderLeft how long the holder's lease lasts without another renewal; 0 if no request was sent, because other
 *     callers of this process wait before it
 */
public record WaitingEvent(String lockName, Duration holderLeft) {}
