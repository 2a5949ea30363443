package dev.leasehold.chaos.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The report of a long run, as Markdown. */
public final class SoakReport {

    private SoakReport() {}

    /**
     * Returns the lines of the report.
     *
     * @param samples of the run
     * @param commit of the repository
     * @param summary the result of the rules
     * @param well whether the run passed
     */
    public static List<String> lines(Samples samples, String commit, String summary, boolean well) {
        List<String> lines = new ArrayList<>(List.of("# Soak: does anything grow?", ""));
        lines.add("- " + samples.about().get(0) + ", commit " + commit);
        samples.about().stream().skip(1).forEach(text -> lines.add("- " + text));
        lines.add(String.format(
                Locale.ROOT,
                "- %,d samples in %.1f minutes, from the start of the faults to 9.5 s after their end",
                samples.count(),
                samples.seconds() / 60.0));
        List<String> grown = Growth.beyondBounds(samples);
        lines.add("- grown: " + (grown.isEmpty() ? "nothing" : String.join("; ", grown)));
        lines.add("- verdict: " + (well ? "passed" : "FAILED"));
        lines.addAll(List.of(
                "",
                "| series | unit | median of the 2nd quarter | of the last | allowed growth | least | most | |",
                "| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |"));
        for (Growth one : Growth.of(samples)) {
            Figure figure = one.figure();
            boolean judged = figure.bound < Long.MAX_VALUE;
            lines.add(String.format(
                    Locale.ROOT,
                    "| %s | %s | %,d | %,d | %s | %,d | %,d | %s |",
                    one.series(),
                    figure.unit,
                    one.second(),
                    one.last(),
                    judged ? String.format(Locale.ROOT, "%,d", figure.bound) : "not judged",
                    one.least(),
                    one.most(),
                    !judged ? "" : one.isBeyondBound() ? "GROWN" : "ok"));
        }
        lines.addAll(List.of("", "The bounds allow for:", ""));
        for (Figure figure : Figure.values()) {
            if (figure.bound < Long.MAX_VALUE) {
                lines.add("- " + figure.name().toLowerCase(Locale.ROOT).replace('_', '-') + ": " + figure.reason);
            }
        }
        lines.addAll(List.of("", "```"));
        summary.lines().forEach(lines::add);
        lines.add("```");
        return lines;
    }
}
