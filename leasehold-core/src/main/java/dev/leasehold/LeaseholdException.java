package dev.leasehold;

import org.jspecify.annotations.Nullable;

/** What Leasehold throws when a lock cannot be had, apart from the exceptions of the JDK's contracts. */
public abstract class LeaseholdException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String lockName;

    /**
     * For subclasses.
     *
     * @param lockName the lock, or an empty string if the failure concerns no single lock
     * @param message what happened and what the reader can do next
     * @param cause what it came from, or null
     */
    protected LeaseholdException(String lockName, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.lockName = lockName;
    }

    /**
     * The lock that could not be had.
     *
     * @return its name, or an empty string if the failure concerns no single lock
     */
    public String lockName() {
        return lockName;
    }
}
