package dev.leasehold.annotation;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses durations in annotations. */
final class Durations {

    private static final Pattern SHORT = Pattern.compile("(\\d{1,15})(ns|us|ms|s|m|h|d)");

    private Durations() {}

    /**
     * Parses a duration.
     *
     * @throws IllegalArgumentException if the text has no unit, is negative or is not a duration
     */
    static Duration parse(String attribute, String text) {
        Matcher brief = SHORT.matcher(text);
        try {
            Duration duration =
                    brief.matches() ? times(Long.parseLong(brief.group(1)), brief.group(2)) : Duration.parse(text);
            if (!duration.isNegative()) {
                return duration;
            }
        } catch (java.time.format.DateTimeParseException | ArithmeticException e) {
            throw new IllegalArgumentException(wrong(attribute, text), e);
        }
        throw new IllegalArgumentException(wrong(attribute, text));
    }

    private static Duration times(long number, String unit) {
        return switch (unit) {
            case "ns" -> Duration.ofNanos(number);
            case "us" -> Duration.ofNanos(Math.multiplyExact(number, 1000L));
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
    }

    private static String wrong(String attribute, String text) {
        return attribute + " '" + text
                + "' is not a duration. Write a number and a unit, such as 500ms, 30s, 5m or PT30S";
    }
}
