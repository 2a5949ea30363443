package dev.leasehold.fencing;

import java.util.OptionalLong;

/**
 * The resource has seen a higher fencing token than the one presented: a later holder of the lock was here, so the lease of
 * this one is over, whatever its process believes. Nothing was written. The holder should stop; trying again with the same
 * token is in vain.
 */
public final class StaleTokenException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String resource;
    private final long token;
    private final long highest;

    /**
     * For guards that do not know the highest token at that moment.
     *
     * @param resource the name of the resource
     * @param token the token that was refused
     */
    public StaleTokenException(String resource, long token) {
        this(resource, token, 0);
    }

    /**
     * For guards.
     *
     * @param resource the name of the resource
     * @param token the token that was refused
     * @param highest the highest token that was seen, or 0 if it is not known
     */
    public StaleTokenException(String resource, long token, long highest) {
        super("the fencing token " + token + " is stale for '" + Inputs.escape(resource) + "', which has seen "
                + (highest > 0 ? Long.toString(highest) : "a higher one")
                + ": a later holder has the lock, so stop what was begun under this lease; nothing was written");
        this.resource = resource;
        this.token = token;
        this.highest = highest;
    }

    /**
     * What was guarded.
     *
     * @return the name as it was given, not escaped; of a row that was guarded in place, its table and key
     */
    public String resource() {
        return resource;
    }

    /**
     * What the holder presented.
     *
     * @return the token
     */
    public long token() {
        return token;
    }

    /**
     * What the resource had seen.
     *
     * @return the highest token at that moment, or empty if the guard could not tell
     */
    public OptionalLong highest() {
        return highest > 0 ? OptionalLong.of(highest) : OptionalLong.empty();
    }
}
