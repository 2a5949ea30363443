package dev.leasehold;

import dev.leasehold.event.LossCause;

/**
 * A lease ended without its holder's release, so another may hold the lock already. Whatever was done under it may
 * have to be checked by its fencing token.
 */
public final class LeaseLostException extends IllegalMonitorStateException {

    private static final long serialVersionUID = 1L;

    private final String lockName;
    private final LossCause cause;

    /**
     * Made by Leasehold.
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

    /**
     * The lock whose lease was lost.
     *
     * @return its name
     */
    public String lockName() {
        return lockName;
    }

    /**
     * Why the lease ended.
     *
     * @return the cause
     */
    public LossCause lossCause() {
        return cause;
    }
}
