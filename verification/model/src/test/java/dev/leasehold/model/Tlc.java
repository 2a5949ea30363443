package dev.leasehold.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Explores a specification with TLC, in a JVM of its own: TLC keeps its state in static fields. */
final class Tlc {

    private static final Path WORK = Path.of(System.getProperty("leasehold.root"), "verification/model/target/tlc");
    private static final long LIMIT_MINUTES = 5;

    private static final String COMPLETE = "Model checking completed. No error has been found.";
    private static final Pattern VIOLATED =
            Pattern.compile("(?:Invariant (\\w+) is|(Temporal properties) were) violated");
    private static final Pattern STATES = Pattern.compile("([\\d,]+) distinct states found");
    private static final Pattern STEP = Pattern.compile("(?m)^State (\\d+):");

    /** The specification of traces of simulated runs, and that of histories of chaos runs. */
    static final String SIMULATED = "LeaseholdTrace-Simulated";

    static final String CHAOS = "LeaseholdHistory-Chaos";

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
        return run(specification, specification.name(), 2, List.of());
    }

    /** What TLC said of traces. */
    record Followed(String output) {

        private static final Pattern FOLLOWED =
                Pattern.compile("<<\\s*\"followed\",\\s*\"[^\"]*\",\\s*(\\d+),\\s*(\\d+)\\s*>>");
        private static final Pattern REJECTED = Pattern.compile("<<\\s*\"rejected\",\\s*\"([^\"]*)\",\\s*(\\d+)");

        /** Returns how many traces the model followed to their ends. */
        int traces() {
            return (int) FOLLOWED.matcher(output).results().count();
        }

        /** Returns how many lines these have. */
        long lines() {
            return sum(1);
        }

        /** Returns how many calls among these were not checked. */
        long unmodelled() {
            return sum(2);
        }

        private long sum(int group) {
            return FOLLOWED.matcher(output)
                    .results()
                    .mapToLong(found -> Long.parseLong(found.group(group)))
                    .sum();
        }

        /** Returns the traces that it did not follow, each with a blank and the number of the first impossible line. */
        List<String> rejected() {
            return REJECTED.matcher(output)
                    .results()
                    .map(found -> found.group(1) + " " + found.group(2))
                    .toList();
        }
    }

    /** Checks whether the specification with this name can follow the traces in a file. */
    static Followed follow(String name, Path traces) throws IOException, InterruptedException {
        Specification specification = Specification.all().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
        String directory = traces.getFileName().toString();
        Result result = run(specification, directory, 1, List.of("-Dleasehold.traces=" + traces));
        if (!result.holds()) {
            throw new IllegalStateException("TLC failed: " + result.output());
        }
        return new Followed(result.output());
    }

    private static Result run(Specification specification, String name, int workers, List<String> options)
            throws IOException, InterruptedException {
        Path directory = WORK.resolve(name);
        Files.createDirectories(directory);
        Path log = directory.resolve("log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(), "-XX:+UseParallelGC", "-Xmx1g"));
        command.addAll(options);
        command.addAll(List.of(
                "-cp",
                classPath(),
                "tlc2.TLC",
                "-workers",
                Integer.toString(workers),
                "-metadir",
                directory.toString(),
                "-config",
                specification.config().getFileName().toString(),
                specification.module()));
        Process tlc = new ProcessBuilder(command)
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

    /** Returns the class path of the tests. Surefire hides it in a manifest, and provides it in a property of its own. */
    private static String classPath() {
        String hidden = System.getProperty("surefire.test.class.path");
        return hidden != null ? hidden : System.getProperty("java.class.path");
    }
}
