package dev.leasehold.fencing;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Stores tokens in the memory of this process, and so <b>for one process only</b>: another instance of the service does
 * not see them, and after a restart any old token is admitted. For tests, and for a resource that exists only as long
 * as its process.
 *
 * <p>Names are never removed: about 150 bytes each. Thread-safe.
 */
public final class InMemoryGuard implements FencingGuard {

    private final ConcurrentMap<String, Long> highest = new ConcurrentHashMap<>();

    /** Creates a guard that has seen no token. */
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
