package dev.leasehold.simulation;

import dev.leasehold.simulation.mutant.Core;
import dev.leasehold.simulation.mutant.Hunts;
import dev.leasehold.simulation.mutant.MutantTraces;
import dev.leasehold.simulation.mutant.Mutants;
import java.io.IOException;
import java.nio.file.Path;

/** The entry point; see {@code verification/simulation/run --help}. */
public final class Main {

    private Main() {}

    /** Runs the requested command against the unchanged core, observed. */
    public static void main(String[] args) throws IOException {
        if (args.length == 1 && args[0].equals("--help")) {
            System.out.print(Commands.USAGE);
            return;
        }
        if (args.length == 2 && args[0].equals("--mutants")) {
            MutantTraces.write(Path.of(args[1]));
            return;
        }
        if (args.length == 1 && args[0].equals("--hunts")) {
            Hunts.print();
            return;
        }
        int status;
        try (Core core = Core.with(Mutants.OBSERVED)) {
            status = core.commands().applyAsInt(args);
        }
        System.exit(status);
    }
}
