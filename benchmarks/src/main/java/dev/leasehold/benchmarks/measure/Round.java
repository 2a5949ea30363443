package dev.leasehold.benchmarks.measure;

import java.util.EnumMap;
import java.util.Map;

/**
 * What one round of one contestant gave.
 *
 * @param sample what every round tells
 * @param figures what only some tell
 * @param remark what else happened; empty if nothing
 */
public record Round(Sample sample, Map<Figure, Double> figures, String remark) {

    /** Keeps a copy. */
    public Round {
        Map<Figure, Double> copy = new EnumMap<>(Figure.class);
        copy.putAll(figures);
        figures = copy;
    }

    /** A figure; not a number if this round does not tell it. */
    public double figure(Figure figure) {
        return figures.getOrDefault(figure, Double.NaN);
    }

    /** Pairs a second. */
    public double rate() {
        return sample.rate();
    }

    /** Script calls per pair. */
    public double scriptsPerPair() {
        return (double) sample.server().scripts().calls() / sample.pairs();
    }

    /** Commands per pair, those that scripts call included. */
    public double commandsPerPair() {
        return (double) sample.server().calls() / sample.pairs();
    }
}
