package dev.leasehold.springdata;

import dev.leasehold.spi.RedisErrorException;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a request.
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

    /** Returns whether its connection leads to a former primary and must not be used again. */
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
