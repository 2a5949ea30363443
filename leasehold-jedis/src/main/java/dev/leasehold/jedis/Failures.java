package dev.leasehold.jedis;

import dev.leasehold.spi.RedisAddress;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import redis.clients.jedis.exceptions.JedisDataException;

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
    static TransportException unanswered(Throwable failure, RedisAddress address) {
        return new TransportException("no answer from Redis at " + address + ": " + story(failure), true, failure);
    }

    static TransportException closed(RedisAddress address) {
        return new TransportException("the connection to Redis at " + address + " was closed", false, null);
    }

    /** Returns an error reply, of which Jedis keeps the whole text. */
    static RedisErrorException refusal(Throwable reply) {
        return new RedisErrorException(String.valueOf(reply.getMessage()));
    }

    /** Returns the message of the exception and that of its root cause, which is often the only helpful part. */
    static String story(Throwable reason) {
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
