package dev.leasehold.event;

import java.time.Duration;

/**
 * An acquisition that waited is over. Told once for each that was told as {@linkplain LeaseholdListener#waiting waiting}.
 *
 * @param lockName the lock
 * @param waited the time since it was found held
 * @param outcome how it ended
 */
public record WaitEndedEvent(String lockName, Duration waited, WaitOutcome outcome) {}
