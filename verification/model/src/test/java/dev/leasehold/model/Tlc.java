package dev.leasehold.model;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tlc2.TLC;

/** Explores a specification with TLC, in a JVM of its own: TLC keeps its state in static fields. */
final class Tlc {

    private static final Path WORK = Path.of(System.getProperty("leasehold.root"), "verification/model/target/tlc");
    private static final long LIMIT_MINUTES = 5;

    private static final String COMPLETE = "Model checking completed. No error has been found.";
    private static final Pattern VIOLATED =
            Pattern.compile("(?:Invariant (\\w+) is|(Temporal properties) were) violated");
    private static final Pattern STATES = Pattern.compile("([\\d,]+) distinct states found");
    private static final Pattern STEP = Pattern.compile("(?m)^State (\\d+):");

    private Tlc() {}

    /** The final output of TLC. */
    record Result(String output) {

        /** Returns whether every state was visited, and none violates an invariant. */
        boolean holds() {
            return output.contains(COMPLETE);
        }

        /** Returns the violated invariant, or "Temporal properties", of which TLC tells no name; empty if none is. */
        String violated() {
            Matcher matcher = VIOLATED.matcher(output);
            return !matcher.find() ? "" : matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
        }

        /** Returns the number of distinct states. */
        long states() {
            return STATES.matcher(output)
                    .results()
                    .mapToLong(found -> Long.parseLong(found.group(1).replace(",", "")))
                    .max()
                    .orElse(0);
        }

        /** Returns the number of states of the counterexample. */
        int steps() {
            return (int) STEP.matcher(output).results().count();
        }
    }

    static Result explore(Specification specification) throws IOException, InterruptedException {
        Path directory = WORK.resolve(specification.name());
        Files.createDirectories(directory);
        Path log = directory.resolve("log");
        Process tlc = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-XX:+UseParallelGC",
                        "-Xmx1g",
                        "-cp",
                        jar(),
                        "tlc2.TLC",
                        "-workers",
                        "2",
                        "-metadir",
                        directory.toString(),
                        "-config",
                        specification.config().getFileName().toString(),
                        specification.module())
                .directory(Specification.DIRECTORY.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        boolean ended = tlc.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES);
        if (!ended) {
            tlc.destroyForcibly();
        }
        String output = Files.readString(log);
        if (!ended) {
            throw new IllegalStateException("TLC did not end within " + LIMIT_MINUTES + " min: " + output);
        }
        return new Result(output);
    }

    private static String jar() {
        try {
            return Path.of(TLC.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
