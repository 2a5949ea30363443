package dev.leasehold.drill.watch;

import java.util.Locale;

/**
 * An alert that fired.
 *
 * @param name of the rule
 * @param labels that tell it from others of the rule, such as the instance
 * @param firstSeconds when it began to fire, since the begin of the observation
 * @param lastSeconds when it was last seen to fire
 */
public record FiredAlert(String name, String labels, double firstSeconds, double lastSeconds) {

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%s%s from %.0f s to %.0f s",
                name,
                labels.isEmpty() ? "" : " {" + labels + "}",
                firstSeconds,
                lastSeconds);
    }
}
