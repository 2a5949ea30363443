package dev.leasehold.drill.watch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Rewrites the text of a file of alerting rules: shorter windows, so that a drill of minutes sees what operators see in an hour, and
 * the threshold that the handbook gives for leases of another length.
 */
public final class AlertRules {

    /** The part of the lease that {@code docs/how-to/alerts.md} names as the threshold of {@code LeaseholdRenewalLate}. */
    private static final double LATE = 6;

    private static final Pattern NAME = Pattern.compile("(?m)^ +- alert: (\\w+)$");
    private static final Pattern EXPRESSION = Pattern.compile("(?m)^ +expr: .+$");
    private static final Pattern PENDING = Pattern.compile("(?m)(?<=^ {0,40}for: )\\S+$");
    private static final Pattern RANGE = Pattern.compile("(?<=\\[)[0-9a-z:]+(?=])");
    private static final Pattern PART = Pattern.compile("(\\d+)(ms|s|m|h|d)");
    private static final Pattern RENEWAL_LATE = Pattern.compile("(leasehold_renewal_lag_seconds_max\\) > )\\d+");

    private final String text;

    private AlertRules(String text) {
        this.text = text;
    }

    /**
     * Returns the rules of a file.
     *
     * @param text of the file
     * @return the rules
     */
    public static AlertRules of(String text) {
        return new AlertRules(text);
    }

    /**
     * Returns the rules with all windows shorter: the ranges of expressions, with their steps, and the times for which an expression must
     * hold.
     *
     * @param times how many times shorter
     * @return other rules
     * @throws IllegalArgumentException if a window is no multiple of the factor in milliseconds, or not a duration
     */
    public AlertRules shortened(int times) {
        String ranges = replace(EXPRESSION, text, line -> replace(RANGE, line, range -> shorter(range, times)));
        return new AlertRules(replace(PENDING, ranges, time -> shorter(time, times)));
    }

    /**
     * Returns the rules for leases of this length.
     *
     * @param lease the lease time
     * @return other rules
     * @throws IllegalArgumentException if the rules have no threshold for late renewals
     */
    public AlertRules forLeases(Duration lease) {
        Matcher late = RENEWAL_LATE.matcher(text);
        if (!late.find()) {
            throw new IllegalArgumentException("no rule has a threshold for leasehold_renewal_lag_seconds_max");
        }
        String seconds = String.format(Locale.ROOT, "%.3f", lease.toMillis() / (1_000 * LATE));
        return new AlertRules(late.replaceAll("$1" + seconds));
    }

    /**
     * Returns the names of all alerts.
     *
     * @return in the order of the file
     */
    public List<String> names() {
        List<String> names = new ArrayList<>();
        Matcher name = NAME.matcher(text);
        while (name.find()) {
            names.add(name.group(1));
        }
        return names;
    }

    /** Returns the text of the file. */
    @Override
    public String toString() {
        return text;
    }

    private static String replace(Pattern pattern, String text, UnaryOperator<String> by) {
        return pattern.matcher(text).replaceAll(match -> Matcher.quoteReplacement(by.apply(match.group())));
    }

    /** Shortens each part of a range such as {@code 10m:1m}. */
    private static String shorter(String range, int times) {
        List<String> parts = new ArrayList<>();
        for (String part : range.split(":", -1)) {
            Matcher duration = PART.matcher(part);
            if (!duration.matches()) {
                throw new IllegalArgumentException("not a duration that this rewrites: " + part);
            }
            long millis = Long.parseLong(duration.group(1)) * unitMillis(duration.group(2));
            if (millis % times != 0) {
                throw new IllegalArgumentException(part + " cannot be divided by " + times);
            }
            parts.add(millis / times % 1_000 == 0 ? millis / times / 1_000 + "s" : millis / times + "ms");
        }
        return String.join(":", parts);
    }

    private static long unitMillis(String unit) {
        return switch (unit) {
            case "ms" -> 1;
            case "s" -> 1_000;
            case "m" -> 60_000;
            case "h" -> 3_600_000;
            default -> 86_400_000;
        };
    }
}
