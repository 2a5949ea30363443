package dev.leasehold.benchmarks.report;

import dev.leasehold.benchmarks.measure.Spread;
import java.util.List;

/**
 * A target and the measured values.
 *
 * @param measure the name of the value
 * @param bar the target
 * @param rounds the median of the rounds, which is judged, and their range
 * @param reached whether the median reaches the target
 */
public record Bar(String measure, String bar, Spread rounds, boolean reached) {

    /** Returns a bar with a minimum. */
    public static Bar atLeast(String measure, double bar, String unit, Spread rounds) {
        return new Bar(measure, "at least " + Numbers.plain(bar) + unit, rounds, rounds.median() >= bar);
    }

    /** Returns a bar with a minimum for a value that is measured once. */
    public static Bar atLeast(String measure, double bar, String unit, double measured) {
        return atLeast(measure, bar, unit, Spread.of(measured));
    }

    /** Returns a bar with a maximum. */
    public static Bar atMost(String measure, double bar, String unit, Spread rounds) {
        return new Bar(measure, "at most " + Numbers.plain(bar) + unit, rounds, rounds.median() <= bar);
    }

    /** Returns a bar with a maximum for a value that is measured once. */
    public static Bar atMost(String measure, double bar, String unit, double measured) {
        return atMost(measure, bar, unit, Spread.of(measured));
    }

    /** Returns the value that is judged. */
    public double measured() {
        return rounds.median();
    }

    /** Returns all bars as a table. */
    public static String table(List<Bar> bars) {
        MarkdownTable table = new MarkdownTable("measure", "bar", "measured", "reached");
        bars.forEach(bar -> table.row(bar.measure, bar.bar, Numbers.of(bar.rounds), bar.reached ? "yes" : "**no**"));
        return table.toString();
    }
}
