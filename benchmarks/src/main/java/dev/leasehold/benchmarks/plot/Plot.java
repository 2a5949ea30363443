package dev.leasehold.benchmarks.plot;

import dev.leasehold.benchmarks.measure.Spread;
import dev.leasehold.benchmarks.plot.StoredReport.Table;
import dev.leasehold.benchmarks.report.Numbers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Draws the newest stored reports as two pictures: how fast, and how waiters are served. */
public final class Plot {

    private static final String UNCONTENDED_HEADING = "## Uncontended, 16 threads on 16 names";
    private static final String RATE = "pairs/s";
    private static final String HOW = "Medians of rounds in turns; a thin line spans the least and the greatest round.";

    private Plot() {}

    /**
     * Reads the reports in this directory, and writes the pictures beside them.
     *
     * @return the files
     * @throws IllegalArgumentException if a report is missing, or lacks what is drawn; the message says which
     */
    public static List<Path> write(Path results) {
        return pictures(results).entrySet().stream()
                .map(picture -> write(results.resolve(picture.getKey()), picture.getValue()))
                .toList();
    }

    private static Path write(Path file, String picture) {
        try {
            return Files.writeString(file, picture);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }

    /** Maps the name of each file to its text. */
    static SortedMap<String, String> pictures(Path results) {
        return new TreeMap<>(Map.of("plot.svg", speed(results), "waiting.svg", waiters(results)));
    }

    private static String speed(Path results) {
        StoredReport uncontended = StoredReport.newest(results, "uncontended");
        StoredReport contended = StoredReport.newest(results, "four-jvms");
        StoredReport waiting = StoredReport.newest(results, "waiters-10-names");
        StoredReport renewal = StoredReport.newest(results, "renewal");
        return new Svg(
                        "Leasehold and other locks on Redis: uncontended, contended, waiting, renewal",
                        List.of(uncontended(uncontended), contended(contended), waiting(waiting), renewal(renewal)),
                        List.of(
                                HOW + " An outlined bar is no lock for use.",
                                uncontended.fact(1) + ".",
                                dates(uncontended, contended),
                                dates(waiting, renewal)))
                .toString();
    }

    private static String waiters(Path results) {
        StoredReport handOff = StoredReport.newest(results, "hand-off");
        StoredReport waiting = StoredReport.newest(results, "waiters-1000-names");
        Table table = handOff.table();
        String situation = ": 30 processes, one lock, 5 ms of work";
        return new Svg(
                        "Leasehold and other locks on Redis: longest wait, hand-off, scripts, idle waiters",
                        List.of(
                                panel("Longest wait" + situation, "ms, less is better", table, "longest wait ms"),
                                panel(
                                        "Hand-off" + situation,
                                        "us from the release in one process to the grant in the next, less is better",
                                        table,
                                        "gap us"),
                                panel(
                                        "Scripts" + situation,
                                        "script calls from holder to holder, less is better",
                                        table,
                                        "scripts/hand-off"),
                                idle(waiting.table())),
                        List.of(HOW, handOff.fact(1) + ".", dates(handOff, waiting)))
                .toString();
    }

    private static String dates(StoredReport... reports) {
        return Stream.of(reports)
                .map(report -> report.scenario() + ": " + report.fact(0))
                .collect(Collectors.joining("; "));
    }

    private static Panel uncontended(StoredReport report) {
        return panel(
                "Uncontended: 16 threads, each with a lock of its own",
                "acquire and release a second, more is better",
                report.tableAfter(UNCONTENDED_HEADING),
                RATE);
    }

    private static Panel contended(StoredReport report) {
        return panel(
                "Contended: 4 processes with 8 threads each, one lock",
                "acquire and release a second, more is better",
                report.table(),
                RATE);
    }

    private static Panel panel(String title, String note, Table table, String column) {
        return new Panel(
                title,
                note,
                table.rows().stream()
                        .map(row -> Panel.Row.of(row.get(0), table.value(row, column)))
                        .toList());
    }

    private static Panel waiting(StoredReport report) {
        Table table = report.table();
        return new Panel(
                "Waiting: 1,000 threads of a process, 10 locks",
                "seconds from the first release until all are served, less is better",
                table.rows().stream()
                        .map(row -> {
                            Spread seconds = table.value(row, "all served within s");
                            return Double.isInfinite(seconds.median())
                                    ? Panel.Row.without(
                                            row.get(0),
                                            "never, only "
                                                    + Numbers.of(table.value(row, "served")
                                                            .median()))
                                    : Panel.Row.of(row.get(0), seconds);
                        })
                        .toList());
    }

    private static Panel renewal(StoredReport report) {
        Table table = report.table();
        return new Panel(
                "Renewal: " + report.title(),
                "CPU of client (dark) and server (light), parts of a core, less is better",
                table.rows().stream()
                        .map(row -> Panel.Row.sum(
                                row.get(0),
                                table.value(row, "client CPU, of a core"),
                                table.value(row, "server CPU, of a core")))
                        .toList());
    }

    /** A subject that serves only some of the waiters says so: one that has given up sends nothing. */
    private static Panel idle(Table table) {
        double most = table.rows().stream()
                .mapToDouble(row -> table.value(row, "served").median())
                .max()
                .orElse(0);
        return new Panel(
                "Idle waiters: 1,000 threads, 1,000 locks",
                "commands a second of each while it waits, less is better",
                table.rows().stream()
                        .map(row -> {
                            double served = table.value(row, "served").median();
                            Panel.Row bar = Panel.Row.of(row.get(0), table.value(row, "idle commands/s a waiter"));
                            return served < most
                                    ? Panel.Row.without(
                                            bar.subject(), bar.text() + ", serves only " + Numbers.of(served))
                                    : bar;
                        })
                        .toList());
    }
}
