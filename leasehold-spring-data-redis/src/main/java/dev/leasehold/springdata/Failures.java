package dev.leasehold.springdata;

import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeoutException;

/**
 * Turns what Spring Data Redis and the client beneath it throw into the two exceptions of the port. Which exception is an
 * error reply, the client knows, and only its own classes here may name its classes.
 */
final class Failures {

    private Failures() {}

    /**
     * Translates a failure to connect, after which nothing was sent; an error reply may be among the causes.
     *
     * @param refusal what the client throws for an error reply
     */
    static RuntimeException unsent(Throwable failure, Class<? extends Throwable> refusal, String address) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof TransportException || cause instanceof RedisErrorException) {
                return (RuntimeException) cause;
            }
            if (refusal.isInstance(cause)) {
                return refusal(cause);
            }
        }
        return new TransportException("no connection to Redis at " + address + ": " + story(failure), false, failure);
    }

    /** Translates a failure to get an answer after sending began. */
    static TransportException unanswered(Throwable failure, String address) {
        return new TransportException("no answer from Redis at " + address + ": " + story(failure), true, failure);
    }

    static TransportException closed(String address) {
        return new TransportException(
                "no connection to Redis at " + address + ": the transport was closed", false, null);
    }

    /** An error reply. Both clients keep its text whole. */
    static RedisErrorException refusal(Throwable reply) {
        return new RedisErrorException(String.valueOf(reply.getMessage()));
    }

    /** Returns whether the server was too slow, which says nothing about other connections. */
    static boolean isTimeout(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SocketTimeoutException || cause instanceof TimeoutException) {
                return true;
            }
        }
        return false;
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
        String message = reason.getMessage();
        return message == null ? reason.getClass().getSimpleName() : message;
    }
}
