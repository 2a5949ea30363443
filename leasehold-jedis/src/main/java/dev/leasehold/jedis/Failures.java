package dev.leasehold.jedis;

import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import java.net.SocketTimeoutException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/** Turns what Jedis throws into the two exceptions of the port. */
final class Failures {

    private Failures() {}

    /** Translates a failure to connect, after which nothing was sent; an error reply may be among the causes. */
    static RuntimeException unsent(Throwable failure, String address) {
        if (failure instanceof TransportException || failure instanceof RedisErrorException) {
            return (RuntimeException) failure;
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof JedisDataException) {
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

    /** An error reply. Jedis keeps its text whole, and has read where a redirection leads to: that is its cause. */
    static RedisErrorException refusal(Throwable reply) {
        RedisErrorException refusal = new RedisErrorException(String.valueOf(reply.getMessage()));
        if (reply instanceof JedisRedirectionException) {
            refusal.initCause(reply);
        }
        return refusal;
    }

    /** Returns whether the server was too slow, which says nothing about other connections. */
    static boolean isTimeout(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SocketTimeoutException) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether this connection must not be used again, because it leads to a former primary. */
    static boolean isOfFormerPrimary(RedisErrorException refusal) {
        return refusal.code().equals("READONLY");
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
