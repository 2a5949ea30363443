package dev.leasehold.event;

import java.time.Duration;

/**
 * An acquisition that waited has ended. Reported once for each that was reported as
 * {@linkplain LeaseholdListener#waiting waiting}.
 *
 * @param lockName the lock
 * @param waited the time since the acquisition found the lock held
 * @param outcome how it ended
 */
public record WaitEndedEvent(String lockName, Duration waited, WaitOutcome outcome) {}
