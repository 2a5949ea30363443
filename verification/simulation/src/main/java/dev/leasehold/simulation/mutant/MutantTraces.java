package dev.leasehold.simulation.mutant;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** The traces of all mutants, each in the first seed in which a rule catches it, and of the engine itself in the same seeds. */
public final class MutantTraces {

    /** The beginning of a line, after which the name of a trace is prefixed. */
    private static final String TRACE = "{\"trace\":\"";

    private MutantTraces() {}

    /**
     * Writes them; the name of a trace begins with that of the mutant, or "engine", and a bar. Prints the mutants that have none, because a
     * quorum is not traced.
     */
    public static void write(Path file) throws IOException {
        TreeSet<Long> seeds = new TreeSet<>();
        try (BufferedWriter writer = Files.newBufferedWriter(file)) {
            for (Mutant mutant : Mutants.all()) {
                try (Core core = Core.with(mutant.edits())) {
                    long seed = caught(mutant, core.seeds());
                    seeds.add(seed);
                    List<String> lines = core.traces().apply(seed);
                    if (lines.isEmpty()) {
                        System.out.println("not traced: " + shown(mutant.name()));
                    }
                    append(writer, mutant.name(), lines);
                }
            }
            try (Core engine = Core.with(List.of())) {
                for (long seed : seeds) {
                    append(writer, "engine", engine.traces().apply(seed));
                }
            }
        }
    }

    private static long caught(Mutant mutant, LongFunction<@Nullable String> runner) {
        for (long seed = mutant.from(); seed < mutant.from() + mutant.within(); seed++) {
            if (runner.apply(seed) != null) {
                return seed;
            }
        }
        throw new IllegalStateException("no rule catches '" + mutant.name() + "'");
    }

    private static String shown(String name) {
        return name.replace('"', '\'');
    }

    private static void append(BufferedWriter writer, String name, List<String> lines) throws IOException {
        for (String line : lines) {
            writer.write(TRACE + shown(name) + " | " + line.substring(TRACE.length()));
            writer.newLine();
        }
    }
}
