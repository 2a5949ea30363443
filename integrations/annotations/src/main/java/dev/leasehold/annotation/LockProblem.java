package dev.leasehold.annotation;

import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.LockUnavailableException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a web application to a request that did not get its lock, as a problem of RFC 9457. It is the same in all frameworks, and does
 * not name the lock.
 *
 * @param status the HTTP status
 * @param title its reason
 * @param retryAfter the seconds after which another request may succeed
 */
public record LockProblem(int status, String title, String retryAfter) {

    /** The name of the header with {@link #retryAfter()}. */
    public static final String RETRY_AFTER = "Retry-After";

    /** The content type of {@link #body()}. */
    public static final String CONTENT_TYPE = "application/problem+json";

    private static final LockProblem BUSY = new LockProblem(409, "Conflict", "1");
    private static final LockProblem UNAVAILABLE = new LockProblem(503, "Service Unavailable", "5");

    /**
     * Returns the answer to a failure that the application did not handle.
     *
     * @param failure the failure
     * @return 409 if others hold the lock, 503 if Redis does not answer; null if the failure is neither
     */
    public static @Nullable LockProblem of(Throwable failure) {
        if (failure instanceof LockNotAcquiredException) {
            return BUSY;
        }
        return failure instanceof LockUnavailableException ? UNAVAILABLE : null;
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
