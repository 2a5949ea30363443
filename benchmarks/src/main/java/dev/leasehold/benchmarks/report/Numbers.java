package dev.leasehold.benchmarks.report;

import dev.leasehold.benchmarks.measure.Spread;
import java.util.Locale;

/** Readable numbers: three digits suffice, and whole thousands are grouped. */
public final class Numbers {

    private Numbers() {}

    /** Formats one number. */
    public static String of(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        if (Double.isInfinite(value)) {
            return "never";
        }
        if (value == 0) {
            return "0";
        }
        double size = Math.abs(value);
        String format = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, format, value);
    }

    /** Formats a whole number. */
    public static String of(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** Formats a number without superfluous digits. */
    public static String plain(double value) {
        return value == Math.rint(value) ? of((long) value) : String.valueOf(value);
    }

    /** Formats the median, and the range if it shows a difference. */
    public static String of(Spread spread) {
        String median = of(spread.median());
        String min = of(spread.min());
        String max = of(spread.max());
        return median.equals(min) && median.equals(max) ? median : median + " (" + min + " to " + max + ")";
    }
}
