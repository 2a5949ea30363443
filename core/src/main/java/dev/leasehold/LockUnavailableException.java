package dev.leasehold;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when Redis did not answer, or refused a request for a reason that does not concern the holder of the lock. It
 * never means "another caller holds the lock" or "the latch is not reached".
 */
public class LockUnavailableException extends LeaseholdException {

    private static final long serialVersionUID = 1L;

    private final boolean mayBeTaken;

    /**
     * Creates the exception; only Leasehold calls this.
     *
     * @param lockName the lock, or an empty string
     * @param mayBeTaken whether a request was sent whose outcome is unknown
     * @param message what happened and what the reader can do next
     * @param cause the failure that the Redis client reported, or null if Redis was silent
     */
    public LockUnavailableException(String lockName, boolean mayBeTaken, String message, @Nullable Throwable cause) {
        super(lockName, message, cause);
        this.mayBeTaken = mayBeTaken;
    }

    /**
     * Returns whether Redis may still have granted the lock to the caller. If so, the client releases it in the
     * background as soon as Redis answers; it ends with its lease at the latest. For a {@linkplain dev.leasehold.recipes.DistributedLatch
     * latch}: returns whether Redis may have executed the call, which is not undone.
     *
     * @return true if a request was sent whose outcome is unknown
     */
    public boolean mayBeTaken() {
        return mayBeTaken;
    }
}
