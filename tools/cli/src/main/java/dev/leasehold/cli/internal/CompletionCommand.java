package dev.leasehold.cli.internal;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the completion script for a shell. */
@Command(
        name = "completion",
        description = {
            "Print a completion script for a shell.",
            "",
            "Use it in this bash or zsh:  source <(leasehold completion)",
            "In this fish:                leasehold completion fish | source",
            "The script completes the command 'leasehold'; put the launcher's directory on the PATH."
        })
final class CompletionCommand implements Callable<Integer> {

    @Parameters(
            arity = "0..1",
            paramLabel = "SHELL",
            description = "bash (the default), zsh or fish. The script of bash serves zsh, too.")
    private Shell shell = Shell.BASH;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    /** The shells for which there is a script. */
    enum Shell {
        BASH,
        ZSH,
        FISH
    }

    @Override
    public Integer call() {
        CommandLine root = spec.root().commandLine();
        root.getOut()
                .print(shell == Shell.FISH ? FishCompletion.of(root) : AutoComplete.bash(root.getCommandName(), root));
        return ExitCode.OK;
    }
}
