package dev.leasehold.benchmarks;

import dev.leasehold.benchmarks.measure.Spread;
import dev.leasehold.benchmarks.report.Bar;
import dev.leasehold.benchmarks.report.Machine;
import dev.leasehold.benchmarks.report.MarkdownTable;
import dev.leasehold.benchmarks.report.Numbers;
import dev.leasehold.benchmarks.scenario.LossTime;
import dev.leasehold.testkit.EmbeddedRedis;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Takes locks away from their holder, and reports how soon it is told. */
final class LossRun {

    private static final int FEW = 1_000;
    private static final int MANY = 100_000;
    private static final int QUICK_MANY = 5_000;
    private static final double MOST_MILLIS_OF_FEW = 50;
    private static final double MOST_MILLIS_OF_MANY = 250;
    private static final int LOSSES = 200;
    private static final double HIGH = 0.99;

    private final Settings settings;
    private final EmbeddedRedis redis;

    /** The times of one way in one round. */
    private record Times(double median, double high, double longest) {
        static Times of(double... millis) {
            double[] sorted = millis.clone();
            Arrays.sort(sorted);
            return new Times(
                    sorted[sorted.length / 2], sorted[(int) (HIGH * (sorted.length - 1))], sorted[sorted.length - 1]);
        }
    }

    LossRun(Settings settings, EmbeddedRedis redis) {
        this.settings = settings;
        this.redis = redis;
    }

    TrialRun.Outcome run() {
        String load = Machine.load();
        int rounds = settings.roundsOr(Settings.ROUNDS, Settings.QUICK_ROUNDS);
        MarkdownTable table = new MarkdownTable("locks held", "taken away by", "median ms", "p99 ms", "longest ms");
        List<Bar> bars = new ArrayList<>();
        for (int locks : new int[] {FEW, settings.quick() ? QUICK_MANY : MANY}) {
            measure(locks, rounds).forEach((way, times) -> {
                Spread high = Spread.of(times, Times::high);
                table.row(
                        Numbers.of((long) locks),
                        way,
                        Numbers.of(Spread.of(times, Times::median)),
                        Numbers.of(high),
                        Numbers.of(Spread.of(times, Times::longest)));
                double most = locks == FEW ? MOST_MILLIS_OF_FEW : MOST_MILLIS_OF_MANY;
                bars.add(Bar.atMost(
                        Scenarios.LOSS + ", " + Numbers.of((long) locks) + " locks, " + way + ": p99",
                        most,
                        " ms",
                        high));
            });
        }
        return new TrialRun.Outcome(
                "# How soon a holder hears that its lock is gone\n\n- " + Facts.dateAndCommit() + "\n- "
                        + Machine.describe(redis) + "\n- load average of the machine: " + load + " before, "
                        + Machine.load() + " after (this run included)\n- " + rounds + " rounds after one that was not"
                        + " measured; medians (the least to the greatest). " + LOSSES
                        + " locks are taken away in each way, one after another, then all others by FLUSHALL; from"
                        + " the call of the command to the call of the listener. Leases of 30 s, over Lettuce. No peer"
                        + " tells its callers of a loss\n\n" + table + "\n## Bars\n\n" + Bar.table(bars),
                bars);
    }

    private Map<String, List<Times>> measure(int locks, int rounds) {
        Map<String, List<Times>> measured = new LinkedHashMap<>();
        for (int round = 0; round <= rounds; round++) {
            try (LossTime trial = new LossTime(redis, locks)) {
                Map<String, double[]> times = trial.run(LOSSES);
                for (Map.Entry<String, double[]> each : times.entrySet()) {
                    Times of = Times.of(each.getValue());
                    System.err.println(
                            Numbers.of((long) locks) + " locks, round " + round + ", " + each.getKey() + ": " + of);
                    if (round > 0) {
                        measured.computeIfAbsent(each.getKey(), way -> new ArrayList<>())
                                .add(of);
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
        return measured;
    }
}
