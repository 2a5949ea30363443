package dev.leasehold.benchmarks;

import dev.leasehold.benchmarks.measure.Spread;
import dev.leasehold.benchmarks.report.Machine;
import dev.leasehold.benchmarks.report.MarkdownTable;
import dev.leasehold.benchmarks.report.Numbers;
import dev.leasehold.benchmarks.scenario.SharedWakeUpTime;
import dev.leasehold.testkit.EmbeddedRedis;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Hands a lock that Leasehold shares with Redisson from one library to the other, and reports how soon the waiter has it. */
final class SharedRun {

    private static final int TIMES = 300;
    private static final int UNMEASURED = 100;
    private static final double HIGH = 0.99;

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
        Map<List<String>, List<Times>> all = new LinkedHashMap<>();
        try (SharedWakeUpTime trial = new SharedWakeUpTime(redis)) {
            trial.run(settings.quick() ? 1 : UNMEASURED);
            for (int round = 0; round < rounds; round++) {
                trial.run(settings.quick() ? 3 : TIMES)
                        .forEach((pair, micros) -> all.computeIfAbsent(pair, same -> new ArrayList<>())
                                .add(Times.of(micros)));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IncorrectException("interrupted");
        }
        MarkdownTable table = new MarkdownTable("the holder uses", "the waiter uses", "median us", "p99 us");
        all.forEach((pair, times) -> table.row(
                pair.get(0),
                pair.get(1),
                Numbers.of(Spread.of(times, Times::median)),
                Numbers.of(Spread.of(times, Times::high))));
        return "# How soon a waiter has a lock that is shared with Redisson\n\n- " + Facts.dateAndCommit() + "\n- "
                + Machine.describe(redis) + "\n- load average of the machine: " + load + " before, "
                + Machine.load() + " after (this run included)\n- " + rounds + " rounds of " + TIMES
                + " hand-ons of each pair in turn; medians (the least to the greatest). From the call of the release to the return of"
                + " the call of a thread that waits in another client; one JVM, `lock()` and `unlock()`, Leasehold over Lettuce with"
                + " `LockFormat.redisson()`\n\n" + table;
    }
}
