package dev.leasehold;

import org.jspecify.annotations.Nullable;

/** The base class of Leasehold's exceptions, apart from {@link LeaseLostException}; see {@link LockFailure}. */
public abstract class LeaseholdException extends RuntimeException implements LockFailure {

    private static final long serialVersionUID = 1L;

    private final String lockName;

    /**
     * Creates the exception.
     *
     * @param lockName the lock, or an empty string if the failure concerns no single lock
     * @param message what happened and what the reader can do next
     * @param cause the cause, or null
     */
    protected LeaseholdException(String lockName, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.lockName = lockName;
    }

    @Override
    public String lockName() {
        return lockName;
    }
}
