package dev.leasehold;

/**
 * Thrown when the lock's key holds something else: a value of another program, a lock with another layout, or another kind of thing of
 * Leasehold's own, such as a latch. Leasehold does not change it. Whose it is, the message says; do not remove what is in use.
 */
public final class ForeignKeyException extends LeaseholdException {

    private static final long serialVersionUID = 1L;

    private final String found;

    /**
     * Creates the exception; only Leasehold calls this.
     *
     * @param lockName the lock
     * @param found the type or layout version of the value under the key
     * @param message what happened and what the reader can do next
     */
    public ForeignKeyException(String lockName, String found, String message) {
        super(lockName, message, null);
        this.found = found;
    }

    /**
     * Returns a description of the value under the key.
     *
     * @return the type as Redis names it, or the layout version found
     */
    public String found() {
        return found;
    }
}
