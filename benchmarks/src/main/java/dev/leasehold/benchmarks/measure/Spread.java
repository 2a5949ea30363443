package dev.leasehold.benchmarks.measure;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** The median and the range of a few measured values of one kind. */
public record Spread(double median, double min, double max) {

    /**
     * Returns the spread of these values.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Spread of(double... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("there is no median of nothing");
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }

    /** Returns the spread of a property of these objects. */
    public static <T> Spread of(List<T> things, ToDoubleFunction<T> property) {
        return of(things.stream().mapToDouble(property).toArray());
    }

    /**
     * Returns the spread of the ratios round by round, so that a disturbance of a whole round has little effect.
     *
     * @throws IllegalArgumentException if the numbers of rounds differ
     */
    public static <T> Spread ofRatios(List<T> above, List<T> below, ToDoubleFunction<T> property) {
        if (above.size() != below.size()) {
            throw new IllegalArgumentException(above.size() + " rounds cannot be compared with " + below.size());
        }
        return of(IntStream.range(0, above.size())
                .mapToDouble(n -> property.applyAsDouble(above.get(n)) / property.applyAsDouble(below.get(n)))
                .toArray());
    }
}
