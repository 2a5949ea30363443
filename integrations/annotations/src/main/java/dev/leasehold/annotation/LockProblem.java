package dev.leasehold.annotation;

import dev.leasehold.LeaseLostException;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.LockUnavailableException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The answer of a web application to a request that did not get its lock, or lost it, as a problem of RFC 9457. It is the same in all frameworks, and does
 * not name the lock.
 *
 * @param status the HTTP status
 * @param title its reason
 * @param retryAfter the seconds after which another request may succeed; null if it must not be repeated unchecked
 */
public record LockProblem(
        int status, String title, @Nullable String retryAfter) {

    /** The name of the header with {@link #retryAfter()}. */
    public static final String RETRY_AFTER = "Retry-After";

    /** The content type of {@link #body()}. */
    public static final String CONTENT_TYPE = "application/problem+json";

    private static final LockProblem BUSY = new LockProblem(409, "Conflict", "1");
    private static final LockProblem UNAVAILABLE = new LockProblem(503, "Service Unavailable", "5");

    /** Not 503, which clients and proxies repeat by themselves: the work was begun, and may be done. */
    private static final LockProblem LOST = new LockProblem(500, "Internal Server Error", null);

    /**
     * Returns the answer to a failure that the application did not handle.
     *
     * @param failure the failure
     * @return 409 if others hold the lock, 503 if Redis does not answer, 500 if the lease was lost while the request had it; null if the
     *     failure is none of these
     */
    public static @Nullable LockProblem of(Throwable failure) {
        if (failure instanceof LockNotAcquiredException) {
            return BUSY;
        }
        if (failure instanceof LeaseLostException) {
            return LOST;
        }
        return failure instanceof LockUnavailableException ? UNAVAILABLE : null;
    }

    /**
     * Logs that a request gets this answer: a lost lease in one line at WARN, with its stack at DEBUG, and all else at DEBUG.
     *
     * @param log the logger of the framework
     * @param failure the failure
     */
    public void log(Logger log, Throwable failure) {
        if (failure instanceof LeaseLostException) {
            log.warn(
                    "a request lost its lock, its work may be done in part, and it is answered with {}: {}",
                    status,
                    failure.getMessage());
            log.debug("the request that lost its lock", failure);
        } else {
            log.debug("a request did not get its lock and is answered with {}", status, failure);
        }
    }

    /**
     * Returns the body of the answer.
     *
     * @return JSON in ASCII
     */
    public byte[] body() {
        String json = "{\"type\":\"about:blank\",\"title\":\"" + title + "\",\"status\":" + status + "}";
        return json.getBytes(StandardCharsets.US_ASCII);
    }
}
