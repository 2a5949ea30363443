package dev.leasehold.chaos.soak;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Compares the median of the second quarter of a run with that of its last quarter. The first quarter warms up. A median ignores the
 * moments at which a fault is at work, such as a server that is full or has just restarted; a leak moves all values.
 *
 * @param series the subject and the figure
 * @param second the median of the second quarter
 * @param last the median of the last quarter
 * @param least the least value after the first quarter
 * @param most the greatest value after the first quarter
 */
public record Growth(String series, long second, long last, long least, long most) {

    private static final int QUARTERS = 4;
    private static final int LEAST_SAMPLES = 8;

    /** Returns the growth of all series of a run. */
    public static List<Growth> of(Samples samples) {
        long quarter = samples.seconds() / QUARTERS;
        List<Growth> all = new ArrayList<>();
        samples.series().forEach((series, values) -> {
            var later = values.stream()
                    .filter(value -> value.second() >= quarter)
                    .mapToLong(Samples.Value::value)
                    .summaryStatistics();
            if (later.getCount() > 0) {
                all.add(new Growth(
                        series,
                        median(samples, series, quarter, 2 * quarter),
                        median(samples, series, (QUARTERS - 1) * quarter, Long.MAX_VALUE),
                        later.getMin(),
                        later.getMax()));
            }
        });
        return all;
    }

    /** Returns what grew by more than its bound, as text. */
    public static List<String> beyondBounds(Samples samples) {
        if (samples.count() < LEAST_SAMPLES) {
            return List.of(
                    "there are " + samples.count() + " samples, and fewer than " + LEAST_SAMPLES + " show no growth");
        }
        return of(samples).stream()
                .filter(Growth::isBeyondBound)
                .map(one -> one.series + " grew from " + one.second + " to " + one.last + ", by more than "
                        + one.figure().bound)
                .toList();
    }

    Figure figure() {
        return Figure.of(series);
    }

    boolean isBeyondBound() {
        return last - second > figure().bound;
    }

    /** Returns the median; a server that does not answer has no value, and a group of threads that is not there counts as 0. */
    private static long median(Samples samples, String series, long from, long to) {
        List<Long> some = values(samples.series().getOrDefault(series, List.of()), from, to);
        if (Figure.of(series) == Figure.THREADS) {
            int moments = samples.series().values().stream()
                    .mapToInt(values -> values(values, from, to).size())
                    .max()
                    .orElse(0);
            some.addAll(Collections.nCopies(moments - some.size(), 0L));
        }
        Collections.sort(some);
        return some.isEmpty() ? 0 : some.get(some.size() / 2);
    }

    private static List<Long> values(List<Samples.Value> values, long from, long to) {
        return new ArrayList<>(values.stream()
                .filter(value -> value.second() >= from && value.second() < to)
                .map(Samples.Value::value)
                .toList());
    }
}
