package dev.leasehold.cli;

import dev.leasehold.cli.internal.Cli;

/** Where the {@code leasehold} command begins; {@code leasehold --help} documents it. */
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
