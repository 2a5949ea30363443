package dev.leasehold;

import dev.leasehold.event.LossCause;

/**
 * Thrown when a lease ended without a release by its holder, so that another caller may hold the lock already. Check
 * the work done under the lease, by its fencing token.
 */
public final class LeaseLostException extends IllegalMonitorStateException implements LockFailure {

    private static final long serialVersionUID = 1L;

    private final String lockName;
    private final LossCause cause;

    /**
     * Creates the exception; only Leasehold calls this.
     *
     * @param lockName the lock
     * @param cause why the lease ended
     * @param message what happened and what the reader can do next
     */
    public LeaseLostException(String lockName, LossCause cause, String message) {
        super(message);
        this.lockName = lockName;
        this.cause = cause;
    }

    @Override
    public String lockName() {
        return lockName;
    }

    /**
     * Returns why the lease ended.
     *
     * @return the cause
     */
    public LossCause lossCause() {
        return cause;
    }
}
