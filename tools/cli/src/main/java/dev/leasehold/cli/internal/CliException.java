package dev.leasehold.cli.internal;

import org.jspecify.annotations.Nullable;

/** Ends the command line with a code and one line on standard error. */
public final class CliException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int exitCode;

    /**
     * Creates an exception with a message alone.
     *
     * @param exitCode one of {@link ExitCode}
     * @param message what happened and what the reader can do next
     */
    public CliException(int exitCode, String message) {
        this(exitCode, message, null);
    }

    /**
     * Creates an exception with a cause, which only {@code --debug} shows.
     *
     * @param exitCode one of {@link ExitCode}
     * @param message what happened and what the reader can do next
     * @param cause the cause, or null
     */
    public CliException(int exitCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /**
     * Returns the exit code of the process.
     *
     * @return one of {@link ExitCode}
     */
    public int exitCode() {
        return exitCode;
    }
}
