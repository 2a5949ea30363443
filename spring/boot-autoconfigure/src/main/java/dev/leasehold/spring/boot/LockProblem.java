package dev.leasehold.spring.boot;

import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.LockUnavailableException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a web application to a request that did not get its lock, as a problem of RFC 9457. It does not name the lock.
 *
 * @param status the HTTP status
 * @param title its reason
 * @param retryAfter the seconds after which another request may succeed
 */
record LockProblem(int status, String title, String retryAfter) {

    static final String RETRY_AFTER = "Retry-After";
    static final String CONTENT_TYPE = "application/problem+json";

    private static final LockProblem BUSY = new LockProblem(409, "Conflict", "1");
    private static final LockProblem UNAVAILABLE = new LockProblem(503, "Service Unavailable", "5");

    /** Returns the answer to a failure that the application did not handle; null if it is none of a lock. */
    static @Nullable LockProblem of(Throwable failure) {
        if (failure instanceof LockNotAcquiredException) {
            return BUSY;
        }
        return failure instanceof LockUnavailableException ? UNAVAILABLE : null;
    }

    byte[] body() {
        String json = "{\"type\":\"about:blank\",\"title\":\"" + title + "\",\"status\":" + status + "}";
        return json.getBytes(StandardCharsets.US_ASCII);
    }
}
