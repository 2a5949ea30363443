package dev.leasehold.benchmarks.report;

import dev.leasehold.benchmarks.measure.Spread;
import java.util.Locale;

/** Numbers as people read them: three digits say enough, and whole thousands are grouped. */
public final class Numbers {

    private Numbers() {}

    /** One number. */
    public static String of(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return "-";
        }
        double size = Math.abs(value);
        String format = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, format, value);
    }

    /** The median, and from where to where. */
    public static String of(Spread spread) {
        return of(spread.median()) + " (" + of(spread.min()) + " to " + of(spread.max()) + ")";
    }
}
