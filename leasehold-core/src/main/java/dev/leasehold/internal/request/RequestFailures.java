package dev.leasehold.internal.request;

import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Brings what a stage failed with into the two shapes the engine knows. */
public final class RequestFailures {

    private RequestFailures() {}

    /** The failure of a request: one of Redis, or of the transport. */
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
        // What an adapter forgot to translate: the request may have been executed.
        return new TransportException("the transport failed: " + cause, true, cause);
    }

    /** There was no answer in time. */
    public static TransportException timedOut(long nanos) {
        return new TransportException(
                "no answer within " + Duration.ofNanos(nanos).toMillis() + " ms", true, null);
    }

    /** A reply that cannot be understood says as little as silence. */
    public static TransportException unreadable(RuntimeException problem) {
        return new TransportException("the answer could not be understood: " + problem.getMessage(), true, problem);
    }

    /** Whether Redis may have executed the request, or may still. */
    public static boolean maybeExecuted(RuntimeException failure) {
        if (failure instanceof TransportException transport) {
            return transport.maybeExecuted();
        }
        // An error reply of a known kind comes before the first write; of an unknown one nobody can tell, nor of a
        // missing right that showed only inside the script.
        return failure instanceof RedisErrorException error
                && switch (ErrorReactions.of(error)) {
                    case REFUSED -> true;
                    case NOT_PERMITTED -> String.valueOf(error.getMessage()).contains("script");
                    case RETRY, OUT_OF_MEMORY -> false;
                };
    }
}
