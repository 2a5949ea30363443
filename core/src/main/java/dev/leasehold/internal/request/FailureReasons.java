package dev.leasehold.internal.request;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.RedisOutOfMemoryException;
import dev.leasehold.TooFewReplicasException;
import dev.leasehold.event.FailureReason;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;

/** Finds out why a request failed: from the failure itself, or from the exception that its caller gets. */
public final class FailureReasons {

    private FailureReasons() {}

    /** Returns the reason of a failure. */
    public static FailureReason of(Throwable failure) {
        if (failure instanceof TooFewReplicasException
                || (failure instanceof RuntimeException known && TooFewAcknowledged.of(known) != null)) {
            return FailureReason.TOO_FEW_REPLICAS;
        }
        if (failure instanceof RedisOutOfMemoryException) {
            return FailureReason.OUT_OF_MEMORY;
        }
        Throwable cause = failure instanceof LockUnavailableException ? failure.getCause() : failure;
        if (cause instanceof TransportException && cause.getCause() instanceof LockUnavailableException start) {
            // Redis has not been reached since the client started.
            return of(start);
        }
        if (cause instanceof RedisErrorException error) {
            return switch (ErrorReactions.of(error)) {
                case RETRY -> FailureReason.NO_ANSWER;
                case OUT_OF_MEMORY -> FailureReason.OUT_OF_MEMORY;
                case NOT_PERMITTED -> FailureReason.NOT_PERMITTED;
                case REFUSED -> FailureReason.REFUSED;
            };
        }
        return cause instanceof TransportException ? FailureReason.NO_ANSWER : FailureReason.REFUSED;
    }
}
