package dev.leasehold.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;

/**
 * The result of a command line that ran in the process of the test, for subcommands that need no standard input, no
 * signals and no JVM of their own.
 *
 * @param exitCode one of {@link ExitCode}
 * @param out standard output
 * @param err standard error, without log messages
 */
public record CliResult(int exitCode, String out, String err) {

    /** Runs the command line to its end. */
    public static CliResult of(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        try (PrintWriter toOut = new PrintWriter(out);
                PrintWriter toErr = new PrintWriter(err)) {
            int code = Cli.commandLine(toOut, toErr).execute(args);
            return new CliResult(code, out.toString(), err.toString());
        }
    }

    /** Asserts that standard error has one line of message and no stack trace. */
    public void assertOneLineError(String... parts) {
        assertOneLine(err, parts);
    }

    /** Asserts the same of the text that a process has printed so far. */
    public static void assertOneLine(String err, String... parts) {
        assertThat(err.lines()).as("standard error").hasSize(1);
        assertThat(err).startsWith("leasehold: ").contains(parts);
    }
}
