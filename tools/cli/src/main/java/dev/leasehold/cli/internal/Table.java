package dev.leasehold.cli.internal;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Prints rows in columns, two blanks apart, without rules. The caller escapes the cells. */
public final class Table {

    private static final String GAP = "  ";

    private final List<String[]> rows = new ArrayList<>();
    private final int[] widths;

    /**
     * Creates a table without rows.
     *
     * @param header the titles of the columns
     */
    public Table(String... header) {
        widths = new int[header.length];
        row(header);
    }

    /**
     * Adds a row.
     *
     * @param cells a printable text for each column
     */
    public void row(String... cells) {
        rows.add(cells);
        for (int i = 0; i < widths.length; i++) {
            widths[i] = Math.max(widths[i], Text.width(cells[i]));
        }
    }

    /**
     * Prints the header and all rows.
     *
     * @param out receives the lines
     */
    public void print(PrintWriter out) {
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.length; i++) {
                line.append(row[i]);
                line.append(" ".repeat(widths[i] - Text.width(row[i]))).append(GAP);
            }
            out.println(line.toString().stripTrailing());
        }
    }
}
