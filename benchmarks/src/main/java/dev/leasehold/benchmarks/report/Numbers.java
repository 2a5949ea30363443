package dev.leasehold.benchmarks.report;

import dev.leasehold.benchmarks.measure.Spread;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Readable numbers: three digits suffice, and whole thousands are grouped. */
public final class Numbers {

    private static final String NEVER = "never";
    private static final String NUMBER = "(-|" + NEVER + "|[0-9][0-9,]*(?:\\.[0-9]+)?)";
    private static final Pattern SPREAD = Pattern.compile(NUMBER + "(?: \\(" + NUMBER + " to " + NUMBER + "\\))?");

    private Numbers() {}

    /** Formats one number. */
    public static String of(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        if (Double.isInfinite(value)) {
            return NEVER;
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

    /**
     * Reads what {@link #of(Spread)} wrote. Without a range, all three are equal.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static Spread parse(String text) {
        Matcher matcher = SPREAD.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is no number");
        }
        double median = number(matcher.group(1));
        return matcher.group(2) == null
                ? new Spread(median, median, median)
                : new Spread(median, number(matcher.group(2)), number(matcher.group(3)));
    }

    private static double number(String text) {
        return switch (text) {
            case "-" -> Double.NaN;
            case NEVER -> Double.POSITIVE_INFINITY;
            default -> Double.parseDouble(text.replace(",", ""));
        };
    }

    /** Formats the median, and the range if it shows a difference. */
    public static String of(Spread spread) {
        String median = of(spread.median());
        String min = of(spread.min());
        String max = of(spread.max());
        return median.equals(min) && median.equals(max) ? median : median + " (" + min + " to " + max + ")";
    }
}
