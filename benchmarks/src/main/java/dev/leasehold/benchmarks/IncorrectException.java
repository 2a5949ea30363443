package dev.leasehold.benchmarks;

/** A lock did not do what a lock is for, so its speed is of no interest. The message says which, and what it did. */
public final class IncorrectException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** With what went wrong. */
    public IncorrectException(String message) {
        super(message);
    }

    /** With what went wrong, and why. */
    public IncorrectException(String message, Throwable cause) {
        super(message, cause);
    }
}
