package dev.leasehold.cli.internal;

import picocli.CommandLine.Option;

/** The options that every subcommand accepts. */
@SuppressWarnings("unused")
final class CommonOptions {

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    private boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version and exit.")
    private boolean version;

    @Option(
            names = "--debug",
            description = "Log to standard error at level DEBUG, and print the stack traces of errors.")
    private boolean debug;

    /** For picocli. */
    CommonOptions() {}
}
