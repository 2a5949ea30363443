package dev.leasehold.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A table that is also readable as text: the first column is left-aligned, the others right-aligned. */
public final class MarkdownTable {

    private static final int LEAST = 3;

    private final List<List<String>> rows = new ArrayList<>();

    /** Creates a table with these headings. */
    public MarkdownTable(String... headings) {
        rows.add(List.of(headings));
    }

    /**
     * Adds a row.
     *
     * @throws IllegalArgumentException if the number of cells is not that of the headings
     */
    public void row(String... cells) {
        int wanted = rows.get(0).size();
        if (cells.length != wanted) {
            throw new IllegalArgumentException("a row of " + cells.length + " cells in a table of " + wanted);
        }
        rows.add(List.of(cells));
    }

    @Override
    public String toString() {
        int[] widths = IntStream.range(0, rows.get(0).size())
                .map(column -> Math.max(
                        LEAST,
                        rows.stream()
                                .mapToInt(row -> escape(row.get(column)).length())
                                .max()
                                .orElse(0)))
                .toArray();
        StringBuilder text = new StringBuilder();
        for (int row = 0; row < rows.size(); row++) {
            text.append(line(rows.get(row), widths));
            if (row == 0) {
                text.append(rule(widths));
            }
        }
        return text.toString();
    }

    private static String line(List<String> cells, int[] widths) {
        return IntStream.range(0, widths.length)
                .mapToObj(column -> {
                    String cell = escape(cells.get(column));
                    String space = " ".repeat(widths[column] - cell.length());
                    return column == 0 ? cell + space : space + cell;
                })
                .collect(Collectors.joining(" | ", "| ", " |\n"));
    }

    private static String rule(int[] widths) {
        return IntStream.range(0, widths.length)
                .mapToObj(column -> column == 0 ? "-".repeat(widths[0]) : "-".repeat(widths[column] - 1) + ":")
                .collect(Collectors.joining(" | ", "| ", " |\n"));
    }

    private static String escape(String cell) {
        return cell.replace("|", "\\|");
    }
}
