package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Event;
import java.util.List;

/**
 * A violation of a rule.
 *
 * @param rule the rule
 * @param at the moment of its detection
 * @param text its description
 * @param excerpt the recorded events about it
 */
public record Violation(Rule rule, long at, String text, List<Event> excerpt) {

    @Override
    public String toString() {
        StringBuilder all = new StringBuilder(rule + " (" + rule.title() + "): " + text);
        excerpt.forEach(event -> all.append("\n    ").append(event));
        return all.toString();
    }
}
