package dev.leasehold.spi;

import dev.leasehold.internal.key.Names;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when no answer arrived, because the connection failed or broke. Adapters translate their client's exceptions
 * into this one.
 */
public final class TransportException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What sockets and their libraries add to an address or to a reason, and no reader needs. */
    private static final Pattern OF_SOCKETS =
            Pattern.compile("/<unresolved>|(?<=^|\\s)/(?=[0-9\\[])|finishConnect\\(\\.\\.\\) failed[^:]*: ");

    private final boolean maybeExecuted;

    /**
     * Wraps the failure that the client reported.
     *
     * @param message what happened, without any password; control characters are escaped, and a full stop at its end is left out
     * @param maybeExecuted whether the command may have reached Redis; false only if it was certainly not sent and will
     *     not be sent
     * @param cause the failure that the client reported, or null
     */
    public TransportException(String message, boolean maybeExecuted, @Nullable Throwable cause) {
        super(Names.escapeReason(message), cause);
        this.maybeExecuted = maybeExecuted;
    }

    /**
     * Translates a failure that is no error reply.
     *
     * @param address the server, without any password
     * @param maybeExecuted whether the command may have reached Redis
     * @param failure what the client reported; wrappers of {@code java.util.concurrent} are left out
     * @return the exception, whose message has that of the failure and that of its root cause, often the only helpful part
     */
    public static TransportException noAnswer(String address, boolean maybeExecuted, Throwable failure) {
        Throwable reason = failure;
        Throwable cause = reason.getCause();
        while (cause != null && (reason instanceof CompletionException || reason instanceof ExecutionException)) {
            reason = cause;
            cause = reason.getCause();
        }
        Throwable root = reason;
        for (; cause != null; cause = cause.getCause()) {
            root = cause;
        }
        String story = root == reason ? describe(reason) : describe(reason) + ": " + describe(root);
        return new TransportException("no answer from Redis at " + address + ": " + story, maybeExecuted, reason);
    }

    private static String describe(Throwable reason) {
        @Nullable String message = reason.getMessage();
        return message == null
                ? reason.getClass().getSimpleName()
                : OF_SOCKETS.matcher(message).replaceAll("");
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
