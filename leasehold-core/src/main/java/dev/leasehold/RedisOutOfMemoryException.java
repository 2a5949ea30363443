package dev.leasehold;

import org.jspecify.annotations.Nullable;

/**
 * Redis refused to take the lock because it is out of memory ({@code -OOM}). Leases that are held are renewed and
 * released all the same.
 */
public final class RedisOutOfMemoryException extends LockUnavailableException {

    private static final long serialVersionUID = 1L;

    /**
     * Made by Leasehold.
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
