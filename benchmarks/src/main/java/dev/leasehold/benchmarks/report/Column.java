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
 * @param heading what stands above it
 * @param cell what it says of a contestant
 */
public record Column(String heading, Cell cell) {

    /** From the rounds of a contestant and those of all. */
    public interface Cell {

        /** The text. */
        String of(List<Round> rounds, Map<Contestant, List<Round>> all);
    }

    /** The median, and from where to where. */
    public static Column spread(String heading, ToDoubleFunction<Round> value) {
        return new Column(heading, (rounds, all) -> Numbers.of(Spread.of(rounds, value)));
    }

    /** The median. */
    public static Column median(String heading, ToDoubleFunction<Round> value) {
        return new Column(
                heading, (rounds, all) -> Numbers.of(Spread.of(rounds, value).median()));
    }

    /** The median of the ratios to another contestant, round by round, if it took part. */
    public static Column ratio(String heading, Contestant other, ToDoubleFunction<Round> value) {
        return new Column(heading, (rounds, all) -> {
            List<Round> others = all.get(other);
            return others == null
                    ? "-"
                    : Numbers.of(Spread.ofRatios(rounds, others, value).median());
        });
    }
}
