package dev.leasehold;

/**
 * Thrown when the lock's key holds something that this version of Leasehold did not write: a value of another type, or
 * a lock with another layout. Leasehold does not change it.
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
