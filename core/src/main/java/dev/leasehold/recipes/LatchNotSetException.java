package dev.leasehold.recipes;

import dev.leasehold.LeaseholdException;

/**
 * Thrown when no latch of the name exists: it was not set, or it has expired, possibly while the caller was waiting.
 * Redis did answer.
 */
public final class LatchNotSetException extends LeaseholdException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception; only Leasehold calls this.
     *
     * @param latchName the latch, which {@link #lockName()} returns
     * @param message what happened and what the reader can do next
     */
    public LatchNotSetException(String latchName, String message) {
        super(latchName, message, null);
    }
}
