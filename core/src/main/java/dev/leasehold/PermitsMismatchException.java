package dev.leasehold;

/**
 * Thrown when a semaphore has another number of permits than the caller passed, or fewer than it requests at once.
 * Redis did answer, and granted nothing.
 */
public final class PermitsMismatchException extends LeaseholdException {

    private static final long serialVersionUID = 1L;

    private final int permits;

    /**
     * Creates the exception; only Leasehold calls this.
     *
     * @param semaphoreName the semaphore, which {@link #lockName()} returns
     * @param permits the number of permits of the semaphore
     * @param message what happened and what the reader can do next
     */
    public PermitsMismatchException(String semaphoreName, int permits, String message) {
        super(semaphoreName, message, null);
        this.permits = permits;
    }

    /**
     * Returns the number of permits of the semaphore.
     *
     * @return the number stored in Redis
     */
    public int permits() {
        return permits;
    }
}
