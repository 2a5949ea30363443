package dev.leasehold.spi;

import org.jspecify.annotations.Nullable;

/**
 * No answer came: the connection could not be made or broke. Adapters turn their client's exceptions for this into this
 * one.
 */
public final class TransportException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean maybeExecuted;

    /**
     * Wraps what the client reported.
     *
     * @param message what happened, without any password
     * @param maybeExecuted whether the command may have reached Redis; false only if it surely was not and will not be
     *     sent
     * @param cause what the client reported, or null
     */
    public TransportException(String message, boolean maybeExecuted, @Nullable Throwable cause) {
        super(message, cause);
        this.maybeExecuted = maybeExecuted;
    }

    /**
     * Whether the command may have been executed, or may still be.
     *
     * @return false only if it surely was not and will not be sent
     */
    public boolean maybeExecuted() {
        return maybeExecuted;
    }
}
