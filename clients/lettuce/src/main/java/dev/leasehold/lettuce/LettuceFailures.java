package dev.leasehold.lettuce;

import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import io.lettuce.core.RedisCommandExecutionException;
import java.util.List;

/** Turns what Lettuce throws into the two exceptions of the port. */
final class LettuceFailures {

    /** What Lettuce says of a channel that lost its handlers, or closed, before the answer to its first command was read. */
    private static final List<String> UNREAD = List.of("RedisHandshakeHandler", "Connection closed prematurely");

    private LettuceFailures() {}

    /**
     * An error reply, wherever it hides among the causes, becomes a {@link RedisErrorException}; all else means that no
     * answer came.
     */
    static RuntimeException of(Throwable failure, boolean maybeExecuted, String address) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof TransportException || cause instanceof RedisErrorException) {
                return (RuntimeException) cause;
            }
            if (cause instanceof RedisCommandExecutionException) {
                return new RedisErrorException(String.valueOf(cause.getMessage()));
            }
        }
        return TransportException.noAnswer(address, maybeExecuted, failure);
    }

    /** Returns whether the channel was closed before Lettuce could read the server's answer; only the message tells. */
    static boolean answerUnread(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = String.valueOf(cause.getMessage());
            if (UNREAD.stream().anyMatch(message::contains)) {
                return true;
            }
        }
        return false;
    }
}
