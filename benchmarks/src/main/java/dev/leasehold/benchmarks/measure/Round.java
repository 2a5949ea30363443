package dev.leasehold.benchmarks.measure;

import java.util.EnumMap;
import java.util.Map;

/**
 * The results of one round of one contestant.
 *
 * @param sample the figures of every round
 * @param figures the optional figures
 * @param remark other events; empty if there were none
 */
public record Round(Sample sample, Map<Figure, Double> figures, String remark) {

    /** Keeps a copy. */
    public Round {
        Map<Figure, Double> copy = new EnumMap<>(Figure.class);
        copy.putAll(figures);
        figures = copy;
    }

    /** Returns a figure; NaN if this round does not have it. */
    public double figure(Figure figure) {
        return figures.getOrDefault(figure, Double.NaN);
    }

    /** Returns pairs a second. */
    public double rate() {
        return sample.rate();
    }

    /** Returns script calls per pair. */
    public double scriptsPerPair() {
        return (double) sample.server().scripts().calls() / sample.pairs();
    }

    /** Returns commands per pair, including those that scripts call. */
    public double commandsPerPair() {
        return (double) sample.server().calls() / sample.pairs();
    }
}
