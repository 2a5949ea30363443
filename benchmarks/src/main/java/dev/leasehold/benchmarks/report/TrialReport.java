package dev.leasehold.benchmarks.report;

import dev.leasehold.benchmarks.measure.Round;
import dev.leasehold.benchmarks.measure.ServerStats;
import dev.leasehold.benchmarks.subject.Contestant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reports the results of one trial as Markdown. */
public final class TrialReport {

    private static final double WORTH_REPORTING = 0.005;

    private final String title;
    private final List<String> facts;
    private final List<Column> columns;

    /** Creates a report with the facts needed to judge the figures, a line each, and the columns of the table. */
    public TrialReport(String title, List<String> facts, List<Column> columns) {
        this.title = title;
        this.facts = List.copyOf(facts);
        this.columns = List.copyOf(columns);
    }

    /** Returns the text; {@code unit} is the unit by which the server's commands are counted. */
    public String of(Map<Contestant, List<Round>> measured, String unit, List<Bar> bars) {
        StringBuilder text = new StringBuilder("# " + title + "\n\n");
        facts.forEach(fact -> text.append("- ").append(fact).append('\n'));
        text.append("""
                - All contestants run in the same JVMs against one server, one at a time, in turns. Figures are medians of
                  the rounds (the least to the greatest), ratios are medians of the ratios round by round. CPU is that of
                  whole JVMs, compilers and collectors included.

                """);
        text.append(table(measured));
        text.append("\nCommands that the server ran per ").append(unit).append(", those within scripts included:\n\n");
        measured.forEach((contestant, rounds) -> text.append("- ")
                .append(contestant.title())
                .append(": ")
                .append(commands(rounds.get(rounds.size() - 1)))
                .append('\n'));
        String remarks = remarks(measured);
        if (!remarks.isEmpty()) {
            text.append("\nErrors that callers saw:\n\n").append(remarks);
        }
        if (!bars.isEmpty()) {
            text.append("\n## Bars\n\n").append(Bar.table(bars));
        }
        return text.toString();
    }

    private MarkdownTable table(Map<Contestant, List<Round>> measured) {
        MarkdownTable table = new MarkdownTable(
                Stream.concat(Stream.of("subject"), columns.stream().map(Column::heading))
                        .toArray(String[]::new));
        measured.forEach((contestant, rounds) -> table.row(Stream.concat(
                        Stream.of(contestant.title()),
                        columns.stream().map(column -> column.cell().of(rounds, measured)))
                .toArray(String[]::new)));
        return table;
    }

    private static String commands(Round last) {
        return last.sample().server().commands().entrySet().stream()
                .filter(command -> per(command.getValue(), last) >= WORTH_REPORTING)
                .map(command -> command.getKey() + " " + Numbers.of(per(command.getValue(), last)))
                .collect(Collectors.joining(", "));
    }

    private static double per(ServerStats.Cost cost, Round round) {
        return (double) cost.calls() / round.sample().pairs();
    }

    private static String remarks(Map<Contestant, List<Round>> measured) {
        return measured.entrySet().stream()
                .flatMap(entry -> entry.getValue().stream()
                        .map(Round::remark)
                        .filter(remark -> !remark.isEmpty())
                        .limit(1)
                        .map(remark ->
                                "- " + entry.getKey().title() + ", the first: `" + remark.replace('`', '\'') + "`\n"))
                .collect(Collectors.joining());
    }
}
