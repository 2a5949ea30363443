package dev.leasehold.event;

import java.time.Duration;

/**
 * A lease was renewed.
 *
 * @param lockName the lock
 * @param owner the owner of the lease
 * @param lag the time between the moment the renewal was due and the answer that confirmed it
 * @param left how long the lease is valid from now on
 */
public record RenewedEvent(String lockName, String owner, Duration lag, Duration left) {}
