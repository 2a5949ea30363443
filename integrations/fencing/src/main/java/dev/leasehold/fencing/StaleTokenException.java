package dev.leasehold.fencing;

import java.util.OptionalLong;

/**
 * Thrown when a resource has seen a higher fencing token than the one presented: a later holder of the lock has used
 * the resource, so the lease of this holder is over, even if its process has not noticed. Nothing was written. The
 * holder should stop; a retry with the same token will fail again.
 */
public final class StaleTokenException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String resource;
    private final long token;
    private final long highest;

    /**
     * Creates a refusal by a guard that does not know the highest token.
     *
     * @param resource the name of the resource
     * @param token the token that was refused
     */
    public StaleTokenException(String resource, long token) {
        this(resource, token, 0);
    }

    /**
     * Creates a refusal.
     *
     * @param resource the name of the resource
     * @param token the token that was refused
     * @param highest the highest token that was seen, or 0 if it is not known
     */
    public StaleTokenException(String resource, long token, long highest) {
        super("the fencing token " + token + " is stale for '" + Inputs.escape(resource) + "', which has seen "
                + (highest > 0 ? Long.toString(highest) : "a higher one")
                + ": a later holder has used it, so stop the work under this lease; nothing was written");
        this.resource = resource;
        this.token = token;
        this.highest = highest;
    }

    /**
     * Returns the name of the guarded resource.
     *
     * @return the name as given, not escaped; for a row guarded by {@link JdbcFenceColumn}, its table and key
     */
    public String resource() {
        return resource;
    }

    /**
     * Returns the token that the holder presented.
     *
     * @return the token
     */
    public long token() {
        return token;
    }

    /**
     * Returns the highest token that the resource had seen.
     *
     * @return the highest token at that moment, or empty if the guard did not know it
     */
    public OptionalLong highest() {
        return highest > 0 ? OptionalLong.of(highest) : OptionalLong.empty();
    }
}
