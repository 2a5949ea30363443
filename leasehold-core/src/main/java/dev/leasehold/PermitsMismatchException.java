package dev.leasehold;

/**
 * A semaphore has another number of permits than the caller says, or fewer than it wants at once. Redis did answer; nothing
 * was taken.
 */
public final class PermitsMismatchException extends LeaseholdException {

    private static final long serialVersionUID = 1L;

    private final int permits;

    /**
     * Made by Leasehold.
     *
     * @param semaphoreName the semaphore, which {@link #lockName()} returns
     * @param permits how many permits it has
     * @param message what happened and what the reader can do next
     */
    public PermitsMismatchException(String semaphoreName, int permits, String message) {
        super(semaphoreName, message, null);
        this.permits = permits;
    }

    /**
     * How many permits the semaphore has.
     *
     * @return the number that Redis knows
     */
    public int permits() {
        return permits;
    }
}
