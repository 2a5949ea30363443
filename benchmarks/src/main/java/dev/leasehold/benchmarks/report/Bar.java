package dev.leasehold.benchmarks.report;

import java.util.List;

/**
 * A target and the measured value.
 *
 * @param measure the name of the value
 * @param bar the target
 * @param measured the measured value
 * @param reached whether the target is reached
 */
public record Bar(String measure, String bar, double measured, boolean reached) {

    /** Returns a bar with a minimum. */
    public static Bar atLeast(String measure, double bar, String unit, double measured) {
        return new Bar(measure, "at least " + Numbers.plain(bar) + unit, measured, measured >= bar);
    }

    /** Returns a bar with a maximum. */
    public static Bar atMost(String measure, double bar, String unit, double measured) {
        return new Bar(measure, "at most " + Numbers.plain(bar) + unit, measured, measured <= bar);
    }

    /** Returns all bars as a table. */
    public static String table(List<Bar> bars) {
        MarkdownTable table = new MarkdownTable("measure", "bar", "measured", "reached");
        bars.forEach(bar -> table.row(bar.measure, bar.bar, Numbers.of(bar.measured), bar.reached ? "yes" : "**no**"));
        return table.toString();
    }
}
