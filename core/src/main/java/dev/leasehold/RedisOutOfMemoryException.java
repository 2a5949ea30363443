package dev.leasehold;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when Redis refused to grant the lock because it is out of memory ({@code -OOM}). Existing leases are still
 * renewed and released.
 */
public final class RedisOutOfMemoryException extends LockUnavailableException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception; only Leasehold calls this.
     *
     * @param lockName the lock
     * @param mayBeTaken whether an earlier request was sent whose outcome is unknown
     * @param message what happened and what the reader can do next
     * @param cause what Redis answered
     */
    public RedisOutOfMemoryException(String lockName, boolean mayBeTaken, String message, @Nullable Throwable cause) {
        super(lockName, mayBeTaken, message, cause);
    }
}
