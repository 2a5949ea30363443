package dev.leasehold.lettuce;

import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import io.lettuce.core.RedisCommandExecutionException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Turns what Lettuce throws into the two exceptions of the port. */
final class LettuceFailures {

    private LettuceFailures() {}

    /**
     * An error reply, wherever it hides among the causes, becomes a {@link RedisErrorException}; all else means that no
     * answer came.
     */
    static RuntimeException of(Throwable failure, boolean maybeExecuted, String address) {
        Throwable reason = unwrap(failure);
        if (reason instanceof TransportException || reason instanceof RedisErrorException) {
            return (RuntimeException) reason;
        }
        for (Throwable cause = reason; cause != null; cause = cause.getCause()) {
            if (cause instanceof RedisCommandExecutionException) {
                return new RedisErrorException(String.valueOf(cause.getMessage()));
            }
        }
        return new TransportException(
                "no answer from Redis at " + address + ": " + story(reason), maybeExecuted, reason);
    }

    /** Returns whether the channel was closed before Lettuce could read the server's answer; only the message tells. */
    static boolean answerUnread(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof IllegalStateException
                    && String.valueOf(cause.getMessage()).contains("RedisHandshakeHandler")) {
                return true;
            }
        }
        return false;
    }

    private static Throwable unwrap(Throwable failure) {
        Throwable inner = failure;
        Throwable cause = inner.getCause();
        while (cause != null && (inner instanceof CompletionException || inner instanceof ExecutionException)) {
            inner = cause;
            cause = inner.getCause();
        }
        return inner;
    }

    /** Returns the message of the exception and that of its root cause, which is often the only helpful part. */
    private static String story(Throwable reason) {
        Throwable root = reason;
        for (Throwable cause = root.getCause(); cause != null; cause = cause.getCause()) {
            root = cause;
        }
        String first = describe(reason);
        return root == reason ? first : first + ": " + describe(root);
    }

    private static String describe(Throwable reason) {
        @Nullable String message = reason.getMessage();
        return message == null ? reason.getClass().getSimpleName() : message;
    }
}
