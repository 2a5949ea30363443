package dev.leasehold.benchmarks.plot;

import dev.leasehold.benchmarks.measure.Spread;
import dev.leasehold.benchmarks.plot.StoredReport.Table;
import dev.leasehold.benchmarks.report.Numbers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Draws the newest stored reports of four scenarios as one picture. */
public final class Plot {

    private static final String UNCONTENDED_HEADING = "## Uncontended, 16 threads on 16 names";
    private static final String RATE = "pairs/s";

    private Plot() {}

    /**
     * Reads the reports in this directory, and writes the picture beside them.
     *
     * @return the file
     * @throws IllegalArgumentException if a report is missing, or lacks what is drawn; the message says which
     */
    public static Path write(Path results) {
        Path file = results.resolve("plot.svg");
        try {
            Files.writeString(file, of(results));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
        return file;
    }

    static String of(Path results) {
        StoredReport uncontended = StoredReport.newest(results, "uncontended");
        StoredReport contended = StoredReport.newest(results, "four-jvms");
        StoredReport waiting = StoredReport.newest(results, "waiters-10-names");
        StoredReport renewal = StoredReport.newest(results, "renewal");
        return new Svg(
                        "Leasehold and other locks on Redis: uncontended, contended, waiting, renewal",
                        List.of(uncontended(uncontended), contended(contended), waiting(waiting), renewal(renewal)),
                        List.of(
                                "Medians of rounds in turns; a thin line spans the least and the greatest round. An outlined bar is"
                                        + " no lock for use.",
                                uncontended.fact(1) + ".",
                                dates(uncontended, contended),
                                dates(waiting, renewal)))
                .toString();
    }

    private static String dates(StoredReport... reports) {
        return Stream.of(reports)
                .map(report -> report.scenario() + ": " + report.fact(0))
                .collect(Collectors.joining("; "));
    }

    private static Panel uncontended(StoredReport report) {
        return rates(
                "Uncontended: 16 threads, each with a lock of its own",
                "acquire and release a second, more is better",
                report.tableAfter(UNCONTENDED_HEADING));
    }

    private static Panel contended(StoredReport report) {
        return rates(
                "Contended: 4 processes with 8 threads each, one lock",
                "acquire and release a second, more is better",
                report.table());
    }

    private static Panel rates(String title, String note, Table table) {
        return new Panel(
                title,
                note,
                table.rows().stream()
                        .map(row -> Panel.Row.of(row.get(0), table.value(row, RATE)))
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
}
