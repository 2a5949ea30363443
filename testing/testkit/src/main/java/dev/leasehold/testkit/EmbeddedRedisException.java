package dev.leasehold.testkit;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when an embedded redis-server did not start, did not answer, or cannot do what was requested in its
 * current state. The message states which, and contains the server's log if the server did not start.
 */
public class EmbeddedRedisException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    EmbeddedRedisException(String message) {
        super(message);
    }

    EmbeddedRedisException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
