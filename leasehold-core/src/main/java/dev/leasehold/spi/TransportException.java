package dev.leasehold.spi;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when no answer arrived, because the connection failed or broke. Adapters translate their client's exceptions
 * into this one.
 */
public final class TransportException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean maybeExecuted;

    /**
     * Wraps the failure that the client reported.
     *
     * @param message what happened, without any password
     * @param maybeExecuted whether the command may have reached Redis; false only if it was certainly not sent and will
     *     not be sent
     * @param cause the failure that the client reported, or null
     */
    public TransportException(String message, boolean maybeExecuted, @Nullable Throwable cause) {
        super(message, cause);
        this.maybeExecuted = maybeExecuted;
    }

    /**
     * Returns whether the command may have been executed, or may still be executed.
     *
     * @return false only if it was certainly not sent and will not be sent
     */
    public boolean maybeExecuted() {
        return maybeExecuted;
    }
}
