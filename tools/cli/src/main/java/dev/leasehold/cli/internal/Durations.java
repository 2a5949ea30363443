package dev.leasehold.cli.internal;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses and formats times: {@code 500ms}, {@code 10s}, {@code 1.5m}, {@code 2h}, {@code 1d}, {@code 10} (seconds). */
public final class Durations implements ITypeConverter<Duration> {

    private static final Pattern FORM = Pattern.compile("([0-9]{1,30}(?:\\.[0-9]{1,9})?)(ms|s|m|h|d)?");
    private static final BigDecimal LONGEST_SECONDS = BigDecimal.valueOf(365L * 24 * 3600);

    /** For picocli. */
    public Durations() {}

    @Override
    public Duration convert(String value) {
        Matcher matcher = FORM.matcher(value.strip().toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new TypeConversionException("'" + value + "' is not a time such as 500ms, 10s, 1.5m, 2h or 1d");
        }
        BigDecimal seconds = new BigDecimal(matcher.group(1)).multiply(unit(matcher.group(2)));
        if (seconds.compareTo(LONGEST_SECONDS) > 0) {
            throw new TypeConversionException("'" + value + "' is longer than 365 days");
        }
        return Duration.ofNanos(
                seconds.movePointRight(9).setScale(0, RoundingMode.HALF_UP).longValueExact());
    }

    private static BigDecimal unit(String unit) {
        return switch (unit == null ? "s" : unit) {
            case "ms" -> new BigDecimal("0.001");
            case "m" -> BigDecimal.valueOf(60);
            case "h" -> BigDecimal.valueOf(3600);
            case "d" -> BigDecimal.valueOf(24 * 3600);
            default -> BigDecimal.ONE;
        };
    }

    /**
     * Formats a time, rounded down to its largest units: {@code 87 ms}, {@code 4.2 s}, {@code 3 min 20 s},
     * {@code 2 h 5 min}.
     *
     * @param time zero or more
     * @return the text
     */
    public static String format(Duration time) {
        long millis = Math.max(0, time.toMillis());
        if (millis < 1000) {
            return millis + " ms";
        }
        if (millis < 60_000) {
            String text = String.format(Locale.ROOT, "%.1f s", Math.floor(millis / 100.0) / 10);
            return text.replace(".0 ", " ");
        }
        if (time.toHours() < 1) {
            return parts(time.toMinutes(), "min", time.toSecondsPart(), "s");
        }
        return time.toDays() < 1
                ? parts(time.toHours(), "h", time.toMinutesPart(), "min")
                : parts(time.toDays(), "d", time.toHoursPart(), "h");
    }

    private static String parts(long major, String majorUnit, int minor, String minorUnit) {
        String text = major + " " + majorUnit;
        return minor == 0 ? text : text + " " + minor + " " + minorUnit;
    }
}
