package dev.leasehold.drill.watch;

import java.util.Locale;

/**
 * A new answer of an instance to the question for its health.
 *
 * @param instance the name
 * @param seconds since the begin of the observation
 * @param status UP, DOWN, or "no answer"
 */
public record HealthChange(String instance, double seconds, String status) {

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%s %s at %.0f s", instance, status, seconds);
    }
}
