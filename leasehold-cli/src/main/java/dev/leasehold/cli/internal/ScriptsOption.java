package dev.leasehold.cli.internal;

import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LeaseholdBuilder.Scripts;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** For users who may not run EVAL: they have plain locks, and those only. */
public final class ScriptsOption {

    @Option(
            names = "--without-scripts",
            description = "For a user who may not run EVAL: by commands alone, which have plain locks and no others.")
    private boolean without;

    /** For picocli. */
    public ScriptsOption() {}

    /**
     * Tells the client.
     *
     * @param builder what it is built from
     * @return the same
     */
    public LeaseholdBuilder on(LeaseholdBuilder builder) {
        return builder.scripts(without ? Scripts.NONE : Scripts.LUA);
    }

    /**
     * Refuses any other lock than a plain one.
     *
     * @param spec the command that was called
     * @param plain whether it was asked for a plain lock
     * @throws ParameterException if there can be no such lock without scripts
     */
    public void check(CommandSpec spec, boolean plain) {
        if (without && !plain) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--without-scripts: there are plain locks only; add --plain, and give the key as NAME");
        }
    }
}
