package dev.leasehold;

/**
 * Thrown when an exported lease cannot be taken over: it was already resumed, released or taken away, it has ended, or
 * it is one of several holds of a named owner. Redis did answer, and nothing was changed. The message does not contain
 * the exported string.
 */
public final class LeaseNotResumableException extends LeaseholdException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception; only Leasehold calls this.
     *
     * @param lockName the lock
     * @param message what happened and what the reader can do next
     */
    public LeaseNotResumableException(String lockName, String message) {
        super(lockName, message, null);
    }
}
