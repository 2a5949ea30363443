package dev.leasehold.cli;

import dev.leasehold.cli.internal.Cli;

/** The entry point of the {@code leasehold} command; {@code leasehold --help} documents it. */
public final class Main {

    private Main() {}

    /**
     * Runs one subcommand and ends the JVM with its exit code.
     *
     * @param args the command line
     */
    public static void main(String[] args) {
        System.exit(Cli.run(args));
    }
}
