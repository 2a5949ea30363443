package dev.leasehold.simulation.history;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What the rules made of a history: violations, and how often each rule had something to judge. */
public final class Verdict {

    private final List<Violation> violations = new ArrayList<>();
    private final Map<Rule, Long> judged = new EnumMap<>(Rule.class);
    private final Map<Rule, Long> waived = new EnumMap<>(Rule.class);

    void judge(Rule rule) {
        judged.merge(rule, 1L, Long::sum);
    }

    /** The rule was broken under a fault that the guarantee does not cover: declared unsafe. */
    void waive(Rule rule) {
        waived.merge(rule, 1L, Long::sum);
    }

    void violate(Rule rule, long at, String lock, String text) {
        violations.add(new Violation(rule, at, lock, text));
    }

    /** What was broken. */
    public List<Violation> violations() {
        return violations;
    }

    /** How often the rule had something to judge. */
    public long judged(Rule rule) {
        return judged.getOrDefault(rule, 0L);
    }

    /** How often the rule was broken where nothing is promised. */
    public long waived(Rule rule) {
        return waived.getOrDefault(rule, 0L);
    }
}
