package dev.leasehold.cli.internal;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the completion script for a shell. */
@Command(
        name = "completion",
        description = {
            "Print a completion script for bash and zsh.",
            "",
            "Use it in this shell:  source <(leasehold completion)",
            "The script completes the command 'leasehold'; put the launcher's directory on the PATH."
        })
final class CompletionCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() {
        CommandLine root = spec.root().commandLine();
        root.getOut().print(AutoComplete.bash(root.getCommandName(), root));
        return ExitCode.OK;
    }
}
