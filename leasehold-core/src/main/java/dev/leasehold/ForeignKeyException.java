package dev.leasehold;

/**
 * Under the lock's key lies something that this version of Leasehold did not write: a value of another type, or a lock
 * with another layout. It is left as it is.
 */
public final class ForeignKeyException extends LeaseholdException {

    private static final long serialVersionUID = 1L;

    private final String found;

    /**
     * Made by Leasehold.
     *
     * @param lockName the lock
     * @param found what lies under the key
     * @param message what happened and what the reader can do next
     */
    public ForeignKeyException(String lockName, String found, String message) {
        super(lockName, message, null);
        this.found = found;
    }

    /**
     * What lies under the key.
     *
     * @return the type as Redis names it, or the layout version found
     */
    public String found() {
        return found;
    }
}
