package dev.leasehold.fencing;

/**
 * Remembers, for each resource, the highest fencing token that was used on it, and refuses lower ones. Safe for use by any
 * thread; a guard that is kept in a database or in Redis may be used by any number of processes, which then share it.
 *
 * <p>A guard of this kind is asked <em>before</em> the work and apart from it, so between the two a later holder may come.
 * Where the work is a write to the same database or the same Redis, use what guards and writes in one step instead:
 * {@link JdbcFenceColumn}, {@link JdbcFenceTable#admit}, {@link RedisGuard#run}.
 *
 * <p>Names of resources have 1 to 512 bytes of UTF-8, without NUL, like those of locks. Tokens lie between 1 and
 * 2<sup>53</sup> - 1. Once a token was accepted no lower one is, whoever presents it and in whatever order: the decision and
 * the raising are one step.
 */
@FunctionalInterface
public interface FencingGuard {

    /**
     * Lets a holder pass, and remembers its token, unless a higher one was seen for this resource. The same token may come
     * any number of times.
     *
     * @param resource the name of what is guarded; by convention that of the lock
     * @param token the fencing token of the holder's lease
     * @throws StaleTokenException if a higher token was seen; nothing was changed
     * @throws IllegalArgumentException if the name or the token breaks its rule; nothing was sent
     * @throws Exception what the place where tokens are kept throws by itself when it cannot be reached or refuses. That says
     *     nothing about the token, which may have been remembered. An implementation declares what it throws
     */
    void admit(String resource, long token) throws Exception;
}
