package dev.leasehold.benchmarks.plot;

import dev.leasehold.benchmarks.measure.Spread;
import dev.leasehold.benchmarks.report.Numbers;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One of the small charts: a bar for each subject.
 *
 * @param title the situation
 * @param note the unit, and which direction is better
 * @param rows the bars, from above
 */
record Panel(String title, String note, List<Row> rows) {

    /** Copies the rows. */
    Panel {
        rows = List.copyOf(rows);
    }

    /** The kind of a subject, which decides its color. */
    enum Kind {
        OURS,
        PEER,
        /** Not a lock for use: a floor, a ceiling, or a minimum. */
        REFERENCE;

        static Kind of(String subject) {
            if (subject.startsWith("Leasehold")) {
                return OURS;
            }
            return subject.matches("(Floor|Ceiling|Bare|Minimal).*") ? REFERENCE : PEER;
        }
    }

    /**
     * One bar.
     *
     * @param subject its name
     * @param parts the lengths that are drawn one after another; empty if there is no value
     * @param least the least value of all rounds
     * @param most the greatest value of all rounds
     * @param text the value for readers
     */
    record Row(String subject, List<Double> parts, double least, double most, String text) {

        /** Copies the parts. */
        Row {
            parts = List.copyOf(parts);
        }

        static Row of(String subject, Spread value) {
            String text = Numbers.of(value.median());
            return Double.isFinite(value.median())
                    ? new Row(subject, List.of(value.median()), value.min(), value.max(), text)
                    : without(subject, text);
        }

        static Row without(String subject, String text) {
            return new Row(subject, List.of(), 0, 0, text);
        }

        /** Returns the sum of two medians; the rounds of the sum are not stored. */
        static Row sum(String subject, Spread one, Spread other) {
            double sum = one.median() + other.median();
            return new Row(subject, List.of(one.median(), other.median()), sum, sum, Numbers.of(sum));
        }

        double length() {
            return parts.stream().mapToDouble(Double::doubleValue).sum();
        }
    }

    /** Returns the greatest value that has to be drawn. */
    double greatest() {
        return rows.stream()
                .mapToDouble(row -> Math.max(row.length(), row.most))
                .max()
                .orElse(0);
    }

    /** Describes all of it for readers that cannot see it. */
    String inWords() {
        return title + ", " + note + ": "
                + rows.stream().map(row -> row.subject + " " + row.text).collect(Collectors.joining("; ")) + ".";
    }
}
