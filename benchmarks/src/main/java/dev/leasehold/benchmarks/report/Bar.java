package dev.leasehold.benchmarks.report;

import java.util.List;

/**
 * What must be reached, and what was.
 *
 * @param measure what is measured
 * @param bar what must be reached
 * @param measured what was measured
 * @param reached whether that is enough
 */
public record Bar(String measure, String bar, double measured, boolean reached) {

    /** At least this much. */
    public static Bar atLeast(String measure, double bar, String unit, double measured) {
        return new Bar(measure, "at least " + Numbers.plain(bar) + unit, measured, measured >= bar);
    }

    /** At most this much. */
    public static Bar atMost(String measure, double bar, String unit, double measured) {
        return new Bar(measure, "at most " + Numbers.plain(bar) + unit, measured, measured <= bar);
    }

    /** All of them as a table. */
    public static String table(List<Bar> bars) {
        MarkdownTable table = new MarkdownTable("measure", "bar", "measured", "reached");
        bars.forEach(bar -> table.row(bar.measure, bar.bar, Numbers.of(bar.measured), bar.reached ? "yes" : "**no**"));
        return table.toString();
    }
}
