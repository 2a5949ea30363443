package dev.leasehold.benchmarks;

import dev.leasehold.benchmarks.measure.Spread;
import dev.leasehold.benchmarks.report.Machine;
import dev.leasehold.benchmarks.report.MarkdownTable;
import dev.leasehold.benchmarks.report.Numbers;
import dev.leasehold.benchmarks.scenario.SharedWakeUpTime;
import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Hands a lock that Leasehold shares with Redisson from one library to the other, idle and contended, and reports how soon the waiter has it. */
final class SharedRun {

    private static final int TIMES = 300;
    private static final int UNMEASURED = 100;
    private static final double HIGH = 0.99;
    private static final Duration CONTENTION = Duration.ofSeconds(30);

    private final Settings settings;
    private final EmbeddedRedis redis;

    /** The times of one pair in one round. */
    private record Times(double median, double high) {
        static Times of(double... micros) {
            double[] sorted = micros.clone();
            Arrays.sort(sorted);
            return new Times(sorted[sorted.length / 2], sorted[(int) (HIGH * (sorted.length - 1))]);
        }
    }

    SharedRun(Settings settings, EmbeddedRedis redis) {
        this.settings = settings;
        this.redis = redis;
    }

    String run() {
        String load = Machine.load();
        int rounds = settings.roundsOr(Settings.ROUNDS, Settings.QUICK_ROUNDS);
        MarkdownTable idle = new MarkdownTable("servers", "the holder uses", "the waiter uses", "median us", "p99 us");
        MarkdownTable contended = new MarkdownTable(
                "servers", "threads of", "acquisitions", "after the other library", "longest wait ms");
        try (SharedWakeUpTime trial = SharedWakeUpTime.at(redis)) {
            measure("one server", trial, rounds, idle, contended);
        }
        for (boolean sharded : new boolean[] {true, false}) {
            try (EmbeddedCluster cluster = EmbeddedCluster.builder()
                            .settings(EmbeddedRedis.builder().withoutPassword())
                            .start();
                    SharedWakeUpTime trial = SharedWakeUpTime.at(cluster, sharded)) {
                String servers = "cluster, Redisson " + (sharded ? "with" : "without") + " sharded channels";
                measure(servers, trial, rounds, idle, contended);
            }
        }
        Duration time = contention();
        return "# How soon a waiter has a lock that is shared with Redisson\n\n- " + Facts.dateAndCommit() + "\n- "
                + Machine.describe(redis) + "; clusters of three primaries\n- load average of the machine: " + load
                + " before, " + Machine.load() + " after (this run included)\n- idle: " + rounds + " rounds of "
                + times()
                + " hand-ons of each pair in turn; medians (the least to the greatest). From the call of the release to the return of"
                + " the call of a thread that waits in another client; one JVM, `lock()` and `unlock()`, Leasehold over Lettuce with"
                + " `Formats.redisson()`\n- contended: two threads of each library, each with a client of its own, for "
                + time.toSeconds() + " s, with 1 ms of work under the lock\n\n" + idle + "\n" + contended;
    }

    private int times() {
        return settings.quick() ? 3 : TIMES;
    }

    private Duration contention() {
        Duration wanted = settings.roundTime();
        return wanted != null ? wanted : settings.quick() ? Duration.ofSeconds(1) : CONTENTION;
    }

    private void measure(
            String servers, SharedWakeUpTime trial, int rounds, MarkdownTable idle, MarkdownTable contended) {
        Map<List<String>, List<Times>> all = new LinkedHashMap<>();
        try {
            trial.run(settings.quick() ? 1 : UNMEASURED);
            for (int round = 0; round < rounds; round++) {
                trial.run(times())
                        .forEach((pair, micros) -> all.computeIfAbsent(pair, same -> new ArrayList<>())
                                .add(Times.of(micros)));
            }
            trial.contend(contention())
                    .forEach((library, share) -> contended.row(
                            servers,
                            library,
                            Numbers.of(share.acquisitions()),
                            Numbers.of(share.taken()),
                            Numbers.of(share.longestMillis())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IncorrectException("interrupted");
        }
        all.forEach((pair, times) -> idle.row(
                servers,
                pair.get(0),
                pair.get(1),
                Numbers.of(Spread.of(times, Times::median)),
                Numbers.of(Spread.of(times, Times::high))));
    }
}
