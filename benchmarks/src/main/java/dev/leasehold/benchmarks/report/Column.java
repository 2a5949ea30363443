package dev.leasehold.benchmarks.report;

import dev.leasehold.benchmarks.measure.Round;
import dev.leasehold.benchmarks.measure.Spread;
import dev.leasehold.benchmarks.subject.Contestant;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * A column of a table of contestants.
 *
 * @param heading its heading
 * @param cell the text for a contestant
 */
public record Column(String heading, Cell cell) {

    /** Computes a cell from the rounds of a contestant and those of all. */
    public interface Cell {

        /** Returns the text. */
        String of(List<Round> rounds, Map<Contestant, List<Round>> all);
    }

    /** Returns a column with the median and the range. */
    public static Column spread(String heading, ToDoubleFunction<Round> value) {
        return new Column(heading, (rounds, all) -> Numbers.of(Spread.of(rounds, value)));
    }

    /** Returns a column with the median. */
    public static Column median(String heading, ToDoubleFunction<Round> value) {
        return new Column(
                heading, (rounds, all) -> Numbers.of(Spread.of(rounds, value).median()));
    }

    /** Returns a column with the median of the ratios to another contestant, round by round, if it took part. */
    public static Column ratio(String heading, Contestant other, ToDoubleFunction<Round> value) {
        return new Column(heading, (rounds, all) -> {
            List<Round> others = all.get(other);
            return others == null
                    ? "-"
                    : Numbers.of(Spread.ofRatios(rounds, others, value).median());
        });
    }
}
