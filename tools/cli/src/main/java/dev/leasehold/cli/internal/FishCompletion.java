package dev.leasehold.cli.internal;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The completion script for fish, for which picocli makes none. */
final class FishCompletion {

    private static final String NO_COMMAND = "__fish_use_subcommand";

    private final StringBuilder script = new StringBuilder();
    private final String name;

    private FishCompletion(String name) {
        this.name = name;
    }

    /** Returns a script that completes the commands and options of this command. */
    static String of(CommandLine root) {
        FishCompletion completion = new FishCompletion(root.getCommandName());
        completion.script.append("complete -c ").append(completion.name).append(" -f\n");
        completion.options(NO_COMMAND, root.getCommandSpec());
        root.getSubcommands().forEach((command, line) -> completion.command(command, line.getCommandSpec()));
        return completion.script.toString();
    }

    private void command(String command, CommandSpec spec) {
        if (!spec.usageMessage().hidden()) {
            line(NO_COMMAND, "-a " + command, first(spec.usageMessage().description()));
            options("__fish_seen_subcommand_from " + command, spec);
        }
    }

    private void options(String condition, CommandSpec spec) {
        for (OptionSpec option : spec.options()) {
            if (!option.hidden()) {
                StringBuilder names = new StringBuilder();
                for (String one : option.names()) {
                    names.append(one.startsWith("--") ? "-l " : "-s ")
                            .append(one.replaceFirst("^--?", ""))
                            .append(' ');
                }
                names.append(option.arity().max() > 0 ? "-r" : "");
                line(condition, names.toString().strip(), first(option.description()));
            }
        }
    }

    private void line(String condition, String what, String description) {
        script.append("complete -c ").append(name).append(" -n ").append(quoted(condition));
        script.append(' ').append(what);
        if (!description.isEmpty()) {
            script.append(" -d ").append(quoted(description));
        }
        script.append('\n');
    }

    private static String first(String[] lines) {
        return lines.length == 0 ? "" : lines[0].replace("%n", " ");
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
