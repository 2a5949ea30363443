package dev.leasehold.internal.request;

import dev.leasehold.internal.key.Names;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Converts the failures of stages into the two exceptions that the engine knows, and describes them for messages. */
public final class RequestFailures {

    private RequestFailures() {}

    /** Returns the failure of a request as an exception of Redis or of the transport. */
    public static RuntimeException unwrap(@Nullable Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof RedisErrorException || cause instanceof TransportException) {
            return (RuntimeException) cause;
        }
        if (cause instanceof CancellationException) {
            return new TransportException("the request was cancelled", true, cause);
        }
        // The adapter did not translate this exception: the request may have been executed.
        return new TransportException("the transport failed: " + cause, true, cause);
    }

    /** Returns the failure of a request without an answer in time. */
    public static TransportException timedOut(long nanos) {
        return new TransportException(
                "no answer within " + Duration.ofNanos(nanos).toMillis() + " ms", true, null);
    }

    /** Returns the reason of a failure, for a message; null if no request failed, and the time was over nevertheless. */
    public static String reason(@Nullable Throwable failure) {
        if (failure == null) {
            return "the time was over before Redis confirmed it, perhaps because this process paused";
        }
        return Names.escapeReason(failure.getMessage());
    }

    /** Returns whether Redis may have executed the request, or may still execute it. */
    public static boolean maybeExecuted(RuntimeException failure) {
        if (failure instanceof TransportException transport) {
            return transport.maybeExecuted();
        }
        // Redis sends most error replies of a known kind before the first write. An unknown error, or a right that was
        // found missing inside the script, may come after it.
        return failure instanceof RedisErrorException error
                && switch (ErrorReactions.of(error)) {
                    case REFUSED -> true;
                    case NOT_PERMITTED ->
                        !error.isUnknownCommand()
                                && String.valueOf(error.getMessage()).contains("script");
                    case RETRY -> ErrorReactions.mayFollowAWrite(error);
                    case OUT_OF_MEMORY -> false;
                };
    }
}
