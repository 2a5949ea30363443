package dev.leasehold.event;

/**
 * A hold is no longer retained without a lease. Reported once for each that was reported as {@linkplain LeaseholdListener#retained
 * retained}.
 *
 * @param lockName the lock
 * @param outcome what became of the hold
 */
public record RetentionEndedEvent(String lockName, RetentionOutcome outcome) {}
