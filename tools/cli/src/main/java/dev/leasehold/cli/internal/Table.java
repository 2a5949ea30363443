package dev.leasehold.cli.internal;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Prints rows in columns, two blanks apart, without rules. The caller escapes the cells. */
final class Table {

    private static final String GAP = "  ";

    private final List<String[]> rows = new ArrayList<>();
    private final int[] widths;

    Table(String... header) {
        widths = new int[header.length];
        row(header);
    }

    void row(String... cells) {
        rows.add(cells);
        for (int i = 0; i < widths.length; i++) {
            widths[i] = Math.max(widths[i], Text.width(cells[i]));
        }
    }

    void print(PrintWriter out) {
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
