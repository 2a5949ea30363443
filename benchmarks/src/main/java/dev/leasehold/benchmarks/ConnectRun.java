package dev.leasehold.benchmarks;

import dev.leasehold.benchmarks.measure.Spread;
import dev.leasehold.benchmarks.report.Machine;
import dev.leasehold.benchmarks.report.MarkdownTable;
import dev.leasehold.benchmarks.report.Numbers;
import dev.leasehold.benchmarks.scenario.ConnectTime;
import dev.leasehold.benchmarks.scenario.ConnectTime.Times;
import dev.leasehold.testkit.EmbeddedRedis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Starts a JVM for each way to connect and each round, in turns. */
final class ConnectRun {

    private final Settings settings;
    private final EmbeddedRedis redis;

    ConnectRun(Settings settings, EmbeddedRedis redis) {
        this.settings = settings;
        this.redis = redis;
    }

    /** Runs, and returns the report. */
    String run() {
        String load = Machine.load();
        int rounds = settings.roundsOr(Settings.ROUNDS, Settings.QUICK_ROUNDS);
        Map<String, List<Times>> measured = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            for (String kind : ConnectTime.kinds().keySet()) {
                if (kind.contains(settings.only())) {
                    Times times = Times.parse(child(kind));
                    System.err.println(kind + ": " + times);
                    measured.computeIfAbsent(kind, k -> new ArrayList<>()).add(times);
                }
            }
        }
        return report(load, rounds, measured);
    }

    private String child(String kind) {
        try {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            ConnectTime.class.getName(),
                            kind,
                            redis.uri())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int exit = process.waitFor();
            if (exit != 0) {
                throw new IncorrectException("the JVM for '" + kind + "' ended with " + exit);
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private String report(String load, int rounds, Map<String, List<Times>> measured) {
        MarkdownTable table = new MarkdownTable(
                "kind",
                "new JVM: connect ms",
                "first lock ms",
                "CPU ms of both",
                "warm JVM: connect ms",
                "first lock ms (warm)");
        measured.forEach((kind, times) -> table.row(
                kind,
                Numbers.of(Spread.of(times, Times::coldConnect)),
                Numbers.of(Spread.of(times, Times::coldAcquire)),
                Numbers.of(Spread.of(times, Times::coldCpu)),
                Numbers.of(Spread.of(times, Times::warmConnect)),
                Numbers.of(Spread.of(times, Times::warmAcquire))));
        return "# From nothing to the first lock\n\n- " + Facts.dateAndCommit() + "\n- " + Machine.describe(redis)
                + "\n- load average of the machine: " + load + " before, " + Machine.load()
                + " after (this run included)\n- " + rounds
                + " new JVMs each, in turns; medians (the least to the greatest)\n\n" + table;
    }
}
