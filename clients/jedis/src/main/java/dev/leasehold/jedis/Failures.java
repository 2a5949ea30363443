package dev.leasehold.jedis;

import dev.leasehold.spi.RedisAddress;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import redis.clients.jedis.exceptions.JedisDataException;

/** Turns what Jedis throws into the two exceptions of the port. */
final class Failures {

    private Failures() {}

    /** Translates a failure to connect, after which nothing was sent but the login; an error reply to that may be among the causes. */
    static RuntimeException unsent(RuntimeException failure, String address) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof JedisDataException) {
                return RedisErrorException.ofLogin(String.valueOf(cause.getMessage()));
            }
        }
        return failure instanceof TransportException ? failure : TransportException.noAnswer(address, false, failure);
    }

    static TransportException closed(RedisAddress address) {
        return new TransportException("the connection to Redis at " + address + " was closed", false, null);
    }

    /** Returns an error reply, of which Jedis keeps the whole text. */
    static RedisErrorException refusal(Throwable reply) {
        return new RedisErrorException(String.valueOf(reply.getMessage()));
    }
}
