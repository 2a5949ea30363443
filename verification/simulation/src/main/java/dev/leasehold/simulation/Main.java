package dev.leasehold.simulation;

import dev.leasehold.simulation.mutant.Core;
import dev.leasehold.simulation.mutant.Mutants;
import java.io.IOException;

/** The entry point; see {@code verification/simulation/run --help}. */
public final class Main {

    private Main() {}

    /** Runs the requested command against the unchanged core, observed. */
    public static void main(String[] args) throws IOException {
        if (args.length == 1 && args[0].equals("--help")) {
            System.out.print(Commands.USAGE);
            return;
        }
        int status;
        try (Core core = Core.with(Mutants.OBSERVED)) {
            status = core.commands().applyAsInt(args);
        }
        System.exit(status);
    }
}
