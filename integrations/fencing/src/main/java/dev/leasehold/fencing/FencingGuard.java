package dev.leasehold.fencing;

/**
 * Stores, for each resource, the highest fencing token that was used on it, and refuses lower ones. Thread-safe. Any
 * number of processes may share a guard that stores its tokens in a database or in Redis.
 *
 * <p>The check happens <em>before</em> the work and apart from it, so a later holder may be admitted between the two.
 * If the work is a write to the same database or the same Redis, use a guard that checks and writes in one step
 * instead: {@link JdbcFenceColumn}, {@link JdbcFenceTable#admit}, {@link RedisGuard#run}.
 *
 * <p>Names of resources have 1 to 512 bytes of UTF-8, without NUL, like those of locks. Tokens are between 1 and
 * 2<sup>53</sup> - 1. Once a token is accepted, every lower token is refused, from any process and in any order: the
 * comparison and the raising are one atomic step.
 */
@FunctionalInterface
public interface FencingGuard {

    /**
     * Admits a holder and stores its token, unless a higher token was seen for this resource. The same token is
     * admitted any number of times.
     *
     * @param resource the name of the guarded resource; by convention the name of the lock
     * @param token the fencing token of the holder's lease
     * @throws StaleTokenException if a higher token was seen; nothing was changed
     * @throws IllegalArgumentException if the name or the token breaks its rule; nothing was sent
     * @throws Exception the store's own exception if it cannot be reached or refuses. It says nothing about the token,
     *     which may have been stored. An implementation declares the types it throws
     */
    void admit(String resource, long token) throws Exception;
}
