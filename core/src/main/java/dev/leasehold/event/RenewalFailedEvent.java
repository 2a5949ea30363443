package dev.leasehold.event;

import java.time.Duration;

/**
 * A renewal of a lease was not confirmed. It is tried again until the deadline of the lease, and then the lease is lost
 * ({@link LossEvent}): so this comes some time before a loss, and often without one.
 *
 * @param lockName the lock
 * @param owner the owner of the lease
 * @param reason why
 * @param left how long the lease is still valid, at most; not negative
 */
public record RenewalFailedEvent(String lockName, String owner, FailureReason reason, Duration left) {}
