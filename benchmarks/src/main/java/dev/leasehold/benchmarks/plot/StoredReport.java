package dev.leasehold.benchmarks.plot;

import dev.leasehold.benchmarks.measure.Spread;
import dev.leasehold.benchmarks.report.Numbers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A report that was written before, as Markdown.
 *
 * @param scenario the scenario
 * @param lines its lines
 */
record StoredReport(String scenario, List<String> lines) {

    private static final String FACT = "- ";
    private static final String ROW = "| ";
    private static final Pattern BETWEEN_CELLS = Pattern.compile("(?<!\\\\)\\|");

    /** Copies the lines. */
    StoredReport {
        lines = List.copyOf(lines);
    }

    /**
     * Reads the newest report of a scenario that is not a quick one.
     *
     * @throws IllegalArgumentException if there is none
     */
    static StoredReport newest(Path results, String scenario) {
        Pattern name = Pattern.compile("\\d{4}-\\d{2}-\\d{2}-" + Pattern.quote(scenario) + "\\.md");
        try (Stream<Path> files = Files.list(results)) {
            Path newest = files.filter(
                            file -> name.matcher(file.getFileName().toString()).matches())
                    .max(Comparator.comparing(Path::getFileName))
                    .orElseThrow(() -> new IllegalArgumentException("there is no report of " + scenario + " in "
                            + results + ": run benchmarks/run " + scenario + " first"));
            return new StoredReport(scenario, Files.readAllLines(newest));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the reports in " + results, e);
        }
    }

    /** Returns its title. */
    String title() {
        return lines.get(0).replaceFirst("^#+ ", "");
    }

    /** Returns the n-th of the facts at its beginning: 0 is the date with the commit, 1 the machine. */
    String fact(int n) {
        return lines.stream()
                .filter(line -> line.startsWith(FACT))
                .skip(n)
                .findFirst()
                .map(line -> line.substring(FACT.length()))
                .orElseThrow(() -> missing("fact " + n));
    }

    /** Returns the first table after this line. */
    Table tableAfter(String heading) {
        int at = lines.indexOf(heading);
        if (at < 0) {
            throw missing("line '" + heading + "'");
        }
        List<List<String>> rows = lines.subList(at, lines.size()).stream()
                .dropWhile(line -> !line.startsWith(ROW))
                .takeWhile(line -> line.startsWith(ROW))
                .map(StoredReport::cells)
                .toList();
        if (rows.isEmpty()) {
            throw missing("table after '" + heading + "'");
        }
        // The second line separates the headings from the rows.
        return new Table(this, rows.get(0), rows.subList(2, rows.size()));
    }

    /** Returns the first table of all. */
    Table table() {
        return tableAfter(lines.get(0));
    }

    private static List<String> cells(String line) {
        List<String> cells = new ArrayList<>();
        for (String cell : BETWEEN_CELLS.split(line, -1)) {
            cells.add(cell.strip().replace("\\|", "|"));
        }
        // The line begins and ends with a separator.
        return cells.subList(1, cells.size() - 1);
    }

    private IllegalArgumentException missing(String what) {
        return new IllegalArgumentException("the report of " + scenario + " has no " + what);
    }

    /** One table: a row for each subject, whose name is the first cell. */
    record Table(StoredReport report, List<String> headings, List<List<String>> rows) {

        /** Returns the values of one column. */
        Spread value(List<String> row, String heading) {
            int column = headings.indexOf(heading);
            if (column < 0) {
                throw report.missing("column '" + heading + "'");
            }
            return Numbers.parse(row.get(column));
        }
    }
}
