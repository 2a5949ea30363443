package dev.leasehold.benchmarks;

import dev.leasehold.benchmarks.measure.Spread;
import dev.leasehold.benchmarks.report.Bar;
import dev.leasehold.benchmarks.report.Machine;
import dev.leasehold.benchmarks.report.MarkdownTable;
import dev.leasehold.benchmarks.report.Numbers;
import dev.leasehold.benchmarks.scenario.DeadlockTime;
import dev.leasehold.testkit.EmbeddedRedis;
import java.util.ArrayList;
import java.util.List;

/** Makes processes wait for each other, and reports how soon that is found. */
final class DeadlockRun {

    private static final int[] SIZES = {2, 3, 5};
    private static final int DEADLOCKS = 50;
    private static final int QUICK_DEADLOCKS = 3;
    private static final int UNMEASURED = 5;
    private static final double MOST_MILLIS = 1000;

    private final Settings settings;
    private final EmbeddedRedis redis;

    DeadlockRun(Settings settings, EmbeddedRedis redis) {
        this.settings = settings;
        this.redis = redis;
    }

    TrialRun.Outcome run() {
        String load = Machine.load();
        int deadlocks = settings.roundsOr(DEADLOCKS, QUICK_DEADLOCKS);
        MarkdownTable table = new MarkdownTable("processes in a cycle", "found after, ms");
        List<Bar> bars = new ArrayList<>();
        for (int size : SIZES) {
            Spread millis = measure(size, deadlocks);
            table.row(String.valueOf(size), Numbers.of(millis));
            bars.add(Bar.atMost(
                    Scenarios.DEADLOCK + ", " + size + " processes: found after", MOST_MILLIS, " ms", millis));
        }
        return new TrialRun.Outcome(
                "# How soon a deadlock of several processes is found\n\n- " + Facts.dateAndCommit() + "\n- "
                        + Machine.describe(redis) + "\n- load average of the machine: " + load + " before, "
                        + Machine.load() + " after (this run included)\n- " + deadlocks + " deadlocks each, after "
                        + UNMEASURED + " that were not measured; medians (the least to the greatest). From the last"
                        + " wait to the end of the call of `Diagnostics.deadlocks()` that found it; one call follows"
                        + " another. Leases of 30 s, over Lettuce. No peer finds deadlocks\n\n" + table
                        + "\n## Bars\n\n" + Bar.table(bars),
                bars);
    }

    private Spread measure(int size, int deadlocks) {
        List<Double> millis = new ArrayList<>();
        try (DeadlockTime trial = new DeadlockTime(redis, size)) {
            for (int n = 0; n < UNMEASURED + deadlocks; n++) {
                double found = trial.run();
                if (n >= UNMEASURED) {
                    millis.add(found);
                }
            }
        }
        System.err.println(size + " processes: " + millis);
        return Spread.of(millis, Double::doubleValue);
    }
}
