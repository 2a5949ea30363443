package dev.leasehold.lettuce;

import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import io.lettuce.core.RedisCommandExecutionException;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Turns what Lettuce throws into the two exceptions of the port. */
final class LettuceFailures {

    /** What Lettuce says of a channel that lost its handlers, or closed, before the answer to its first command was read. */
    private static final List<String> UNREAD = List.of("RedisHandshakeHandler", "Connection closed prematurely");

    private LettuceFailures() {}

    /** An error reply among the causes becomes a {@link RedisErrorException}; all else means that no answer came. */
    static RuntimeException of(Throwable failure, boolean maybeExecuted, String address) {
        RuntimeException known = known(failure, RedisErrorException::new);
        return known == null ? TransportException.noAnswer(address, maybeExecuted, failure) : known;
    }

    /**
     * Translates a failure to connect, after which nothing was sent but the login, which an error reply may repeat. Looks among what
     * was suppressed, too: there a client of a cluster has what each node answered. A command has been answered by nobody there.
     */
    static RuntimeException unsent(Throwable failure, String address) {
        RuntimeException known = ofNodes(failure);
        return known == null ? TransportException.noAnswer(address, false, failure) : known;
    }

    private static @Nullable RuntimeException ofNodes(Throwable failure) {
        RuntimeException known = known(failure, RedisErrorException::ofLogin);
        for (Throwable cause = failure; known == null && cause != null; cause = cause.getCause()) {
            for (Throwable suppressed : cause.getSuppressed()) {
                known = known == null ? ofNodes(suppressed) : known;
            }
        }
        return known;
    }

    private static @Nullable RuntimeException known(Throwable failure, Function<String, RedisErrorException> replies) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof TransportException || cause instanceof RedisErrorException) {
                return (RuntimeException) cause;
            }
            if (cause instanceof RedisCommandExecutionException) {
                return replies.apply(String.valueOf(cause.getMessage()));
            }
        }
        return null;
    }

    /** Returns why a connection has ended, for the log: a channel that is closed already says nothing. */
    static String reason(IOException failure) {
        String message = failure.getMessage();
        return message == null ? "it broke" : message;
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
