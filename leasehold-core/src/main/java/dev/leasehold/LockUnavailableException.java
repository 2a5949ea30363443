package dev.leasehold;

import org.jspecify.annotations.Nullable;

/**
 * Redis did not answer, or refused for a reason that has nothing to do with who holds the lock. Never the same as
 * "another holds it", nor as "the latch is not reached".
 */
public class LockUnavailableException extends LeaseholdException {

    private static final long serialVersionUID = 1L;

    private final boolean mayBeTaken;

    /**
     * Made by Leasehold.
     *
     * @param lockName the lock, or an empty string
     * @param mayBeTaken whether a request was sent whose outcome is unknown
     * @param message what happened and what the reader can do next
     * @param cause what the client of Redis reported, or null for silence
     */
    public LockUnavailableException(String lockName, boolean mayBeTaken, String message, @Nullable Throwable cause) {
        super(lockName, message, cause);
        this.mayBeTaken = mayBeTaken;
    }

    /**
     * Whether the lock may have been taken for the caller all the same. If so, it is given back in the background as
     * soon as Redis answers, and ends with its lease at the latest. Of a {@linkplain DistributedLatch latch}: whether the
     * call may have been executed, which is not undone.
     *
     * @return true if a request was sent whose outcome is unknown
     */
    public boolean mayBeTaken() {
        return mayBeTaken;
    }
}
