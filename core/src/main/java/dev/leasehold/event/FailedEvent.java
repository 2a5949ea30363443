package dev.leasehold.event;

import java.time.Duration;

/**
 * An acquisition failed with an exception, because Redis did not answer or refused it, or because the client was closed. A lock that
 * others hold is no failure ({@link BusyEvent}); an acquisition that was cancelled or interrupted is neither, nor is a resume whose
 * lease no longer exists. A call for several locks fails once, for the lock that it could not acquire.
 *
 * @param lockName the lock
 * @param waited the time from the call to its failure
 * @param tries the number of requests that Redis answered
 * @param reason why
 * @param failure what the caller gets
 */
public record FailedEvent(
        String lockName, Duration waited, int tries, FailureReason reason, RuntimeException failure) {}
