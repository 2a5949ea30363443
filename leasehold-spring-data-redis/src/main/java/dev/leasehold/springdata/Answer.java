package dev.leasehold.springdata;

import dev.leasehold.spi.RedisErrorException;
import org.jspecify.annotations.Nullable;

/**
 * What came of a request.
 *
 * @param reply String, Long, null, or a List of these; null if there is none
 * @param failure why there is none, in the exceptions of the port, or null
 */
record Answer(@Nullable Object reply, @Nullable RuntimeException failure) {

    static Answer of(@Nullable Object reply) {
        return new Answer(reply, null);
    }

    static Answer failed(RuntimeException failure) {
        return new Answer(null, failure);
    }

    boolean isUnknownScript() {
        return failure instanceof RedisErrorException error && error.code().equals("NOSCRIPT");
    }

    /** Whether the connection it came over leads to a server that was a primary once, and is not to be used again. */
    boolean isOfFormerPrimary() {
        return failure instanceof RedisErrorException error && error.code().equals("READONLY");
    }

    @Nullable
    Object orThrow() {
        if (failure != null) {
            throw failure;
        }
        return reply;
    }
}
