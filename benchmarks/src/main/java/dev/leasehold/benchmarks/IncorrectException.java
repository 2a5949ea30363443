package dev.leasehold.benchmarks;

/**
 * Thrown when a lock violates mutual exclusion or loses a waiter, so that its speed is irrelevant. The message
 * names the lock and the violation.
 */
public final class IncorrectException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Creates it with the violation. */
    public IncorrectException(String message) {
        super(message);
    }

    /** Creates it with the violation and its cause. */
    public IncorrectException(String message, Throwable cause) {
        super(message, cause);
    }
}
