package dev.leasehold;

/** Others held the lock until the time or the number of tries was used up. Redis did answer. */
public final class LockNotAcquiredException extends LeaseholdException {

    private static final long serialVersionUID = 1L;

    /**
     * Made by Leasehold.
     *
     * @param lockName the lock
     * @param message what happened and what the reader can do next
     */
    public LockNotAcquiredException(String lockName, String message) {
        super(lockName, message, null);
    }
}
