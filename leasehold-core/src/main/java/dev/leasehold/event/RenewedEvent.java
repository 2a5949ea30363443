package dev.leasehold.event;

import java.time.Duration;

/**
 * A lease was renewed.
 *
 * @param lockName the lock
 * @param owner the owner of the lease
 * @param lag the time between the moment the renewal was due and the answer that confirmed it
 * @param left for how long the lease is valid now
 */
public record RenewedEvent(String lockName, String owner, Duration lag, Duration left) {}
