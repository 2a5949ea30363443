package dev.leasehold.cli.internal.top;

import dev.leasehold.cli.internal.Text;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/** The columns that fit a screen, with their widths: a narrow screen cuts long names first, and then omits columns. */
final class ColumnLayout {

    private static final String GAP = "  ";

    private final List<Fit> fits;

    /**
     * A column on the screen.
     *
     * @param column the column
     * @param width its width
     * @param least the width to which it may be cut
     */
    private record Fit(Column column, int width, int least) {

        static Fit of(Column column, List<LockRow> rows) {
            int full = column.width(rows);
            return new Fit(column, full, column.leastWidth(full));
        }

        Fit cutByOne() {
            return new Fit(column, width - 1, least);
        }

        String show(String cell) {
            String shown = Text.cut(cell, width);
            return shown + " ".repeat(width - Text.width(shown));
        }
    }

    private ColumnLayout(List<Fit> fits) {
        this.fits = fits;
    }

    /** Chooses columns and widths for rows on a screen of a number of columns. */
    static ColumnLayout of(List<LockRow> rows, int screen) {
        List<Fit> fits = Arrays.stream(Column.values())
                .map(column -> Fit.of(column, rows))
                .collect(Collectors.toCollection(ArrayList::new));
        while (fits.size() > 1 && total(fits, Fit::least) > screen) {
            fits.remove(fits.stream()
                    .max(Comparator.comparingInt(fit -> fit.column().rank()))
                    .orElseThrow());
        }
        while (total(fits, Fit::width) > Math.max(0, screen)) {
            cutWidest(fits);
        }
        return new ColumnLayout(List.copyOf(fits));
    }

    /** Cuts the widest column that may be cut; the name, if it is alone and the screen even narrower. */
    private static void cutWidest(List<Fit> fits) {
        Fit widest = fits.stream()
                .filter(fit -> fit.width() > fit.least())
                .max(Comparator.comparingInt(Fit::width))
                .orElse(fits.get(0));
        fits.set(fits.indexOf(widest), widest.cutByOne());
    }

    private static int total(List<Fit> fits, ToIntFunction<Fit> width) {
        return fits.stream().mapToInt(width).sum() + GAP.length() * (fits.size() - 1);
    }

    String header() {
        return line(Column::title);
    }

    String row(LockRow row) {
        return line(column -> column.cell(row));
    }

    private String line(Function<Column, String> cell) {
        return fits.stream()
                .map(fit -> fit.show(cell.apply(fit.column())))
                .collect(Collectors.joining(GAP))
                .stripTrailing();
    }
}
