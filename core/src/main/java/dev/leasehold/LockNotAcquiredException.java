package dev.leasehold;

/**
 * Thrown when other callers held the lock until the time limit or the number of tries was exhausted. Redis did answer.
 */
public final class LockNotAcquiredException extends LeaseholdException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception; only Leasehold calls this.
     *
     * @param lockName the lock
     * @param message what happened and what the reader can do next
     */
    public LockNotAcquiredException(String lockName, String message) {
        super(lockName, message, null);
    }
}
