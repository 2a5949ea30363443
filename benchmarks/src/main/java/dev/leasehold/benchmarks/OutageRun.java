package dev.leasehold.benchmarks;

import dev.leasehold.benchmarks.measure.Spread;
import dev.leasehold.benchmarks.report.Bar;
import dev.leasehold.benchmarks.report.Machine;
import dev.leasehold.benchmarks.report.MarkdownTable;
import dev.leasehold.benchmarks.report.Numbers;
import dev.leasehold.benchmarks.scenario.ClusterOutage;
import dev.leasehold.benchmarks.scenario.ClusterOutage.Result;
import dev.leasehold.benchmarks.subject.Contestant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Freezes one master of a cluster, another one each round, and reports the state of the locks. */
final class OutageRun {

    private static final int LOCKS = 60;
    private static final Duration OUTAGE = Duration.ofSeconds(60);

    /** An outage shorter than a lease and a moment would show nothing. */
    private static final Duration SHORTEST = ClusterOutage.LEASE.plusSeconds(4);

    private final Settings settings;
    private final Duration outage;

    OutageRun(Settings settings) {
        this.settings = settings;
        Duration wanted = settings.timeOr(OUTAGE, SHORTEST);
        outage = wanted.compareTo(SHORTEST) < 0 ? SHORTEST : wanted;
    }

    TrialRun.Outcome run() {
        String load = Machine.load();
        int rounds = settings.roundsOr(Settings.ROUNDS, Settings.QUICK_ROUNDS);
        List<Contestant> contestants = Contestant.with(settings.only(), Contestant.LEASEHOLD, Contestant.REDISSON);
        Map<Contestant, List<Result>> measured = new EnumMap<>(Contestant.class);
        try (ClusterOutage trial = new ClusterOutage(contestants, LOCKS, outage)) {
            for (int round = 1; round <= rounds; round++) {
                Map<Contestant, Result> results = trial.round();
                results.forEach((contestant, result) -> measured.computeIfAbsent(contestant, c -> new ArrayList<>())
                        .add(result));
                System.err.println("cluster-outage, round " + round + " of " + rounds + ": " + results);
            }
            List<Bar> bars = bars(measured.getOrDefault(Contestant.LEASEHOLD, List.of()));
            String facts = "- " + Facts.dateAndCommit() + "\n- " + Machine.describe(trial.server())
                    + "\n- load average of the machine: " + load + " before, " + Machine.load()
                    + " after (this run included)\n- " + rounds + " outages of " + Facts.seconds(outage)
                    + ", the same ones for all contestants; medians (the least to the greatest)\n";
            return new TrialRun.Outcome(report(facts, measured, bars), bars);
        }
    }

    private static String report(String facts, Map<Contestant, List<Result>> measured, List<Bar> bars) {
        MarkdownTable table = new MarkdownTable(
                "subject",
                "locks on the healthy masters",
                "lost",
                "locks on the stopped master",
                "called lost within 30 s",
                "the last after s");
        measured.forEach((contestant, results) -> table.row(
                contestant.title(),
                Numbers.of(Spread.of(results, Result::healthy)),
                Numbers.of(Spread.of(results, Result::lost)),
                Numbers.of(Spread.of(results, Result::dead)),
                Numbers.of(Spread.of(results, Result::reported)),
                Numbers.of(Spread.of(results, Result::lastReported))));
        StringBuilder text = new StringBuilder("# " + LOCKS + " locks on a cluster of " + ClusterOutage.MASTERS
                + " masters, one of which is frozen\n\n" + facts + "\n" + table);
        measured.forEach((contestant, results) -> results.stream()
                .map(Result::error)
                .filter(error -> !error.isEmpty())
                .findFirst()
                .ifPresent(error -> text.append("\nThe first error that callers of ")
                        .append(contestant.title())
                        .append(" saw: `")
                        .append(error.replace('`', '\''))
                        .append("`\n")));
        if (!bars.isEmpty()) {
            text.append("\n## Bars\n\n").append(Bar.table(bars));
        }
        return text.toString();
    }

    /** Returns the bars over all rounds together, since one lost lock is one too many. */
    static List<Bar> bars(List<Result> ours) {
        if (ours.isEmpty()) {
            return List.of();
        }
        String where = Scenarios.CLUSTER_OUTAGE + ", " + Contestant.LEASEHOLD.title() + ": ";
        int dead = ours.stream().mapToInt(Result::dead).sum();
        return List.of(
                Bar.atMost(
                        where + "locks on healthy masters lost",
                        0,
                        "",
                        ours.stream().mapToInt(Result::lost).sum()),
                Bar.atLeast(
                        where + "locks on the stopped master called lost by their deadline",
                        dead,
                        "",
                        ours.stream().mapToInt(Result::reported).sum()));
    }
}
