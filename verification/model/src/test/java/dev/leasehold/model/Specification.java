package dev.leasehold.model;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A specification with its constants, as one {@code .cfg} file describes it: {@code <module>-<case>.cfg}.
 *
 * @param config the file
 * @param module the module's name
 * @param violated the invariant that TLC must find violated, empty if none is
 * @param inBuild whether a build explores it, and not only the script, or a check of traces
 * @param states the least number of distinct states that it has if all are visited: one with less behaviour would hold, too
 */
record Specification(Path config, String module, String violated, boolean inBuild, long states) {

    static final Path DIRECTORY = Path.of(System.getProperty("leasehold.root"), "verification/model/src/test/tla");

    private static final String EXPECTED = "\\* Expected: ";
    private static final String VIOLATES = "violates ";
    private static final String RUN_BY = "\\* Run by: ";
    private static final String STATES = "\\* States: ";

    /** Returns all of them. */
    static List<Specification> all() throws IOException {
        try (Stream<Path> files = Files.list(DIRECTORY)) {
            return files.filter(file -> file.toString().endsWith(".cfg"))
                    .map(Specification::read)
                    .sorted(Comparator.comparing(Specification::name))
                    .toList();
        }
    }

    /** Returns whether it takes one step from every state, also from those that no run reaches. */
    boolean isInduction() {
        return module.equals("LeaseholdInduction");
    }

    private static Specification read(Path config) {
        String name = config.getFileName().toString();
        String expected = line(config, EXPECTED);
        String runBy = line(config, RUN_BY);
        if (!expected.equals("holds") && !expected.startsWith(VIOLATES)) {
            throw new IllegalArgumentException(
                    name + ": expected is 'holds' or 'violates <invariant>', not " + expected);
        }
        if (!List.of("build", "script", "traces").contains(runBy)) {
            throw new IllegalArgumentException(name + ": run by 'build', 'script' or 'traces', not " + runBy);
        }
        boolean holds = expected.equals("holds");
        return new Specification(
                config,
                name.substring(0, name.indexOf('-')),
                holds ? "" : expected.substring(VIOLATES.length()),
                runBy.equals("build"),
                holds ? Long.parseLong(line(config, STATES).replace(",", "")) : 0);
    }

    private static String line(Path config, String head) {
        try (Stream<String> lines = Files.lines(config)) {
            return lines.filter(line -> line.startsWith(head))
                    .map(line -> line.substring(head.length()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(config + " has no line '" + head + "'"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String name() {
        return config.getFileName().toString().replace(".cfg", "");
    }

    @Override
    public String toString() {
        return name();
    }
}
