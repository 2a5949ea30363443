package dev.leasehold.benchmarks.report;

import dev.leasehold.benchmarks.measure.Sample;
import dev.leasehold.benchmarks.measure.ServerStats;
import dev.leasehold.benchmarks.measure.Spread;
import dev.leasehold.benchmarks.scenario.ScriptCost;
import dev.leasehold.benchmarks.subject.BareScriptsSubject;
import dev.leasehold.benchmarks.subject.MinimalPairSubject;
import dev.leasehold.benchmarks.subject.RedissonSubject;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reports the figures of the uncontended scenarios as Markdown. */
public final class UncontendedReport {

    private final StringBuilder text = new StringBuilder();

    /** Creates a report with the facts needed to judge the figures, a line each. */
    public UncontendedReport(String title, List<String> facts) {
        text.append("# ").append(title).append("\n\n");
        facts.forEach(fact -> text.append("- ").append(fact).append('\n'));
        text.append("""
                - One pair is an acquire and a release. All subjects run in one JVM against one server, in turns; each
                  figure is the median of the rounds (the least to the greatest). Ratios are medians of the ratios round
                  by round. 99 of 100 pairs take at most the p99. CPU and bytes of the client are those of its whole JVM, compiler and collector included.
                """);
    }

    /** Adds the results of one scenario. */
    public UncontendedReport scenario(String title, Map<String, List<Sample>> samples) {
        text.append("\n## ").append(title).append("\n\n").append(speed(samples));
        text.append("\nCommands that the server ran per pair, those within scripts included:\n\n");
        samples.forEach((name, rounds) -> text.append("- ")
                .append(name)
                .append(": ")
                .append(commands(rounds))
                .append('\n'));
        return this;
    }

    private static MarkdownTable speed(Map<String, List<Sample>> samples) {
        MarkdownTable table = new MarkdownTable(
                "subject",
                "pairs/s",
                "x Redisson",
                "x floor",
                "p99 us",
                "client CPU us/pair",
                "server CPU us/pair",
                "client bytes/pair");
        samples.forEach((name, rounds) -> table.row(
                name,
                Numbers.of(Spread.of(rounds, Sample::rate)),
                ratio(rounds, samples.get(RedissonSubject.NAME)),
                ratio(rounds, samples.get(BareScriptsSubject.NAME)),
                Numbers.of(Spread.of(rounds, Sample::p99Micros)),
                Numbers.of(Spread.of(rounds, Sample::clientMicros).median()),
                Numbers.of(Spread.of(rounds, Sample::serverMicros).median()),
                Numbers.of(Spread.of(rounds, Sample::bytes).median())));
        return table;
    }

    private static String ratio(List<Sample> rounds, @Nullable List<Sample> others) {
        return others == null ? "-" : Numbers.of(Spread.ofRatios(rounds, others, Sample::rate));
    }

    private static String commands(List<Sample> rounds) {
        Sample last = rounds.get(rounds.size() - 1);
        return last.server().commands().entrySet().stream()
                .filter(command -> perPair(command.getValue(), last) >= 0.005)
                .map(command -> command.getKey() + " " + Numbers.of(perPair(command.getValue(), last)))
                .collect(Collectors.joining(", "));
    }

    private static double perPair(ServerStats.Cost cost, Sample sample) {
        return (double) cost.calls() / sample.pairs();
    }

    /** Adds the cost of the scripts. */
    public UncontendedReport scripts(Map<String, ScriptCost.Cost> costs) {
        MarkdownTable table =
                new MarkdownTable("scripts of", "acquire us", "release us", "pair us", "x minimal pair", "x Redisson");
        costs.forEach((name, cost) -> table.row(
                name,
                Numbers.of(cost.acquire()),
                Numbers.of(cost.release()),
                Numbers.of(cost.pair()),
                ratio(cost, costs.get(MinimalPairSubject.NAME)),
                ratio(cost, costs.get(RedissonSubject.NAME))));
        text.append("\n## Cost of the scripts, by the server's own count\n\n").append(table);
        text.append("\nThe minimal pair is EXISTS, HSET and PEXPIRE, then HGET and DEL.\n");
        return this;
    }

    private static String ratio(ScriptCost.Cost cost, ScriptCost.@Nullable Cost other) {
        return other == null ? "-" : Numbers.of(cost.ratio(other).median());
    }

    /** Adds the cost of renewals. */
    public UncontendedReport renewals(Map<String, ScriptCost.Renewal> costs) {
        MarkdownTable table =
                new MarkdownTable("scripts of", "1 lock in a call: us a lock", "100 locks in a call: us a lock");
        costs.forEach((name, cost) -> table.row(name, Numbers.of(cost.single()), Numbers.of(cost.hundred())));
        text.append("\n## Cost of a renewal, by the server's own count\n\n").append(table);
        return this;
    }

    /** Adds the bars. */
    public UncontendedReport bars(List<Bar> bars) {
        if (!bars.isEmpty()) {
            text.append("\n## Bars\n\n").append(Bar.table(bars));
        }
        return this;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
