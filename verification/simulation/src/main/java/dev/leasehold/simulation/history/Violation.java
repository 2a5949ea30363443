package dev.leasehold.simulation.history;

/**
 * A violation of a rule.
 *
 * @param rule the rule
 * @param at the moment of its detection
 * @param lock the lock it is about, empty if none
 * @param text its description
 */
public record Violation(Rule rule, long at, String lock, String text) {

    @Override
    public String toString() {
        return rule + " (" + rule.title + ") at " + at / 1_000_000 + " ms" + (lock.isEmpty() ? "" : ", lock " + lock)
                + ": " + text;
    }
}
