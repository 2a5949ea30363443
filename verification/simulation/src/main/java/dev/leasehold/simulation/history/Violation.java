package dev.leasehold.simulation.history;

/**
 * A rule that was broken.
 *
 * @param rule which
 * @param at when it showed
 * @param lock the lock it is about, empty if none
 * @param text how
 */
public record Violation(Rule rule, long at, String lock, String text) {

    @Override
    public String toString() {
        return rule + " (" + rule.title + ") at " + at / 1_000_000 + " ms" + (lock.isEmpty() ? "" : ", lock " + lock)
                + ": " + text;
    }
}
