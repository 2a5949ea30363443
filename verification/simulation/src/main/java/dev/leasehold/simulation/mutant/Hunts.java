package dev.leasehold.simulation.mutant;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** How many plans it takes to catch a mutant, with and without search. */
public final class Hunts {

    private static final List<String> HUNTED = List.of(
            "validity of a hit counted in full",
            "no allowance for drift",
            "suspension of the machine not noticed",
            "compensation not repeated",
            "deadline not watched");

    private static final int STARTS = 8;
    private static final int MOST = 150;
    private static final long FIRST = 10_000_001;
    private static final long APART = 100_000;

    private Hunts() {}

    /** Prints a line for each of them: the mean over several first seeds; a hunt without success counts as one more than its plans. */
    public static void print() throws IOException {
        for (Mutant mutant : Mutants.all()) {
            if (HUNTED.contains(mutant.name())) {
                List<Edit> edits = new ArrayList<>(mutant.edits());
                edits.addAll(Mutants.OBSERVED);
                try (Core core = Core.with(edits)) {
                    double seeds = mean(core.searches(), 0);
                    double search = mean(core.searches(), 1);
                    System.out.printf(Locale.ROOT, "%-60s seeds %6.1f, search %6.1f%n", mutant.name(), seeds, search);
                }
            }
        }
    }

    private static double mean(ToLongFunction<long[]> searches, long guided) {
        long sum = 0;
        for (int start = 0; start < STARTS; start++) {
            sum += searches.applyAsLong(new long[] {FIRST + start * APART, MOST, guided});
        }
        return (double) sum / STARTS;
    }
}
