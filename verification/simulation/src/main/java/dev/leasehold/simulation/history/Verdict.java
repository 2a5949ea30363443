package dev.leasehold.simulation.history;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The result of the rules for a history: violations, and how often each rule was applied. */
public final class Verdict {

    private final List<Violation> violations = new ArrayList<>();
    private final Map<Rule, Long> judged = new EnumMap<>(Rule.class);
    private final Map<Rule, Long> waived = new EnumMap<>(Rule.class);

    void judge(Rule rule) {
        judged.merge(rule, 1L, Long::sum);
    }

    /** Records that the rule was violated under a fault that the guarantee does not cover: declared unsafe. */
    void waive(Rule rule) {
        waived.merge(rule, 1L, Long::sum);
    }

    void violate(Rule rule, long at, String lock, String text) {
        violations.add(new Violation(rule, at, lock, text));
    }

    /** Returns the violations. */
    public List<Violation> violations() {
        return violations;
    }

    /** Returns how often the rule was applied. */
    public long judged(Rule rule) {
        return judged.getOrDefault(rule, 0L);
    }

    /** Returns how often the rule was violated where nothing is promised. */
    public long waived(Rule rule) {
        return waived.getOrDefault(rule, 0L);
    }
}
