package dev.leasehold.cli.internal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Assembles the command line and runs it. */
public final class Cli {

    private Cli() {}

    /**
     * Runs one subcommand.
     *
     * @param args the command line
     * @return one of {@link ExitCode}, or the exit code of the command that {@code run} started
     */
    public static int run(String[] args) {
        if (Failures.debugWanted(args)) {
            System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "debug");
            System.setProperty("org.slf4j.simpleLogger.showThreadName", "true");
            System.setProperty("org.slf4j.simpleLogger.showLogName", "true");
        }
        PrintWriter out = writer(FileDescriptor.out);
        PrintWriter err = writer(FileDescriptor.err);
        int code = commandLine(out, err).execute(args);
        out.flush();
        err.flush();
        return code;
    }

    /** Returns the whole command line, which prints to the given writers. */
    static CommandLine commandLine(PrintWriter out, PrintWriter err) {
        Failures failures = new Failures();
        CommandLine commandLine = new CommandLine(new RootCommand())
                .setExpandAtFiles(false)
                .setUsageHelpAutoWidth(true)
                .setAbbreviatedOptionsAllowed(false)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(failures)
                .setExecutionExceptionHandler(failures)
                .setOut(out)
                .setErr(err);
        commandLine.getSubcommands().values().forEach(Cli::describe);
        describe(commandLine);
        return commandLine;
    }

    private static void describe(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        spec.addMixin("common", CommandSpec.forAnnotatedObject(new CommonOptions()));
        spec.versionProvider(new VersionProvider());
        spec.usageMessage().sortOptions(false);
    }

    private static PrintWriter writer(FileDescriptor descriptor) {
        return new PrintWriter(new FileOutputStream(descriptor), true, Text.CHARSET);
    }
}
