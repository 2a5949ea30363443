package dev.leasehold.testkit;

import org.jspecify.annotations.Nullable;

/**
 * An embedded redis-server could not be started, did not answer, or was asked for something it cannot do now. The
 * message says which, and carries the server's log where the server did not come up.
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
