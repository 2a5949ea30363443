package dev.leasehold.cli.internal;

import dev.leasehold.cli.internal.demo.DemoCommand;
import dev.leasehold.cli.internal.run.RunCommand;
import dev.leasehold.cli.internal.top.TopCommand;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command itself, which requires a subcommand. */
@Command(
        name = "leasehold",
        description = "Distributed locks on Redis and Valkey, held on a lease.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DemoCommand.class,
            RunCommand.class,
            LsCommand.class,
            TopCommand.class,
            ShowCommand.class,
            ReleaseCommand.class,
            DeadlocksCommand.class,
            DoctorCommand.class,
            ConsoleCommand.class,
            CompletionCommand.class
        },
        footer = {"", "'leasehold COMMAND --help' describes a command."})
final class RootCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() {
        throw new CommandLine.ParameterException(spec.commandLine(), "no command given");
    }
}
