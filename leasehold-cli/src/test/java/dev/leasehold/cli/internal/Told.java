package dev.leasehold.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;

/**
 * What the command line printed, and how it ended, in the process of the test: whatever needs no standard input, no signal and
 * no JVM of its own.
 *
 * @param exitCode one of {@link ExitCode}
 * @param out standard output
 * @param err standard error, without what is logged
 */
public record Told(int exitCode, String out, String err) {

    /** Runs it to its end. */
    public static Told by(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        try (PrintWriter toOut = new PrintWriter(out);
                PrintWriter toErr = new PrintWriter(err)) {
            int code = Cli.commandLine(toOut, toErr).execute(args);
            return new Told(code, out.toString(), err.toString());
        }
    }

    /** One line of a message, and no stack trace. */
    public void assertOneLineError(String... parts) {
        assertOneLine(err, parts);
    }

    /** The same, of what a process has printed so far. */
    public static void assertOneLine(String err, String... parts) {
        assertThat(err.lines()).as("standard error").hasSize(1);
        assertThat(err).startsWith("leasehold: ").contains(parts);
    }
}
