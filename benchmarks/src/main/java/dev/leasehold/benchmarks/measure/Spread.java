package dev.leasehold.benchmarks.measure;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** A few measured values of one kind: the middle one, and how far they lie apart. */
public record Spread(double median, double min, double max) {

    /**
     * Of these values.
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

    /** Of a property of these things. */
    public static <T> Spread of(List<T> things, ToDoubleFunction<T> property) {
        return of(things.stream().mapToDouble(property).toArray());
    }

    /**
     * Of the ratios round by round, so that what disturbed a whole round disturbs it little.
     *
     * @throws IllegalArgumentException if there are not as many of the one as of the other
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
