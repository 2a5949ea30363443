package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Event;
import java.util.List;

/**
 * A rule that was broken.
 *
 * @param rule which
 * @param at when it showed
 * @param text how
 * @param excerpt what was written down about it
 */
public record Violation(Rule rule, long at, String text, List<Event> excerpt) {

    @Override
    public String toString() {
        StringBuilder all = new StringBuilder(rule + " (" + rule.title() + "): " + text);
        excerpt.forEach(event -> all.append("\n    ").append(event));
        return all.toString();
    }
}
