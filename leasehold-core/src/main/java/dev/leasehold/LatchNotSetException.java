package dev.leasehold;

/**
 * There is no latch under the name: nobody has set it, or its time is over, also while it was waited for. Redis did
 * answer.
 */
public final class LatchNotSetException extends LeaseholdException {

    private static final long serialVersionUID = 1L;

    /**
     * Made by Leasehold.
     *
     * @param latchName the latch, which {@link #lockName()} returns
     * @param message what happened and what the reader can do next
     */
    public LatchNotSetException(String latchName, String message) {
        super(latchName, message, null);
    }
}
