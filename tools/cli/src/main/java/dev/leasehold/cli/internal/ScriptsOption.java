package dev.leasehold.cli.internal;

import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LeaseholdBuilder.Scripts;
import dev.leasehold.LockFormat;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The option for Redis users without the right to run EVAL, which have plain locks only. */
public final class ScriptsOption {

    @Option(
            names = "--without-scripts",
            description =
                    "Use no scripts, for a Redis user without the right to run EVAL. Only plain locks work without scripts.")
    private boolean without;

    /** For picocli. */
    public ScriptsOption() {}

    /**
     * Applies the option to a client.
     *
     * @param builder the builder of the client
     * @return the same builder
     */
    public LeaseholdBuilder on(LeaseholdBuilder builder) {
        return builder.scripts(without ? Scripts.NONE : Scripts.LUA);
    }

    /**
     * Refuses every lock except a plain one if scripts are switched off.
     *
     * @param spec the command that was called
     * @param format the format of the lock that the command uses
     * @throws ParameterException if the lock requires scripts
     */
    public void check(CommandSpec spec, FormatOption format) {
        if (without && format.format() != LockFormat.plain()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--without-scripts: only plain locks work without scripts; add --format plain, and give the key as NAME");
        }
    }
}
