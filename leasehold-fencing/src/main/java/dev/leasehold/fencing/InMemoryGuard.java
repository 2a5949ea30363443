package dev.leasehold.fencing;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Remembers tokens in the memory of this process, and so <b>for one process only</b>: another instance of the service knows
 * nothing of them, and after a restart everything is forgotten and any old token passes. For tests, and for a resource that
 * lives and dies with its process.
 *
 * <p>Names are never forgotten: about 150 bytes each. Safe for use by any thread.
 */
public final class InMemoryGuard implements FencingGuard {

    private final ConcurrentMap<String, Long> highest = new ConcurrentHashMap<>();

    /** Makes a guard that has seen nothing. */
    public InMemoryGuard() {}

    /**
     * {@inheritDoc}
     *
     * @throws StaleTokenException {@inheritDoc}
     * @throws IllegalArgumentException {@inheritDoc}
     */
    @Override
    public void admit(String resource, long token) {
        Inputs.checkResource(resource);
        Inputs.checkToken(token);
        long seen = highest.merge(resource, token, Math::max);
        if (seen > token) {
            throw new StaleTokenException(resource, token, seen);
        }
    }
}
