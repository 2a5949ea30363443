package dev.leasehold.chaos.check;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The result of the rules for a run: how often each was applied, the violations, and the unsafe events that no
 * promise excludes.
 */
public final class Verdict {

    private final Map<Rule, Long> judged = new EnumMap<>(Rule.class);
    private final List<Violation> violations = new ArrayList<>();
    private final List<Violation> declared = new ArrayList<>();

    void judge(Rule rule) {
        judged.merge(rule, 1L, Long::sum);
    }

    void violate(boolean promised, Violation violation) {
        (promised ? violations : declared).add(violation);
    }

    /** Returns how often the rule was applied. */
    public long judged(Rule rule) {
        return Objects.requireNonNullElse(judged.get(rule), 0L);
    }

    /** Returns the violations of promises. */
    public List<Violation> violations() {
        return violations;
    }

    /** Returns the events declared unsafe: those where docs/guarantees.md promises nothing. */
    public List<Violation> declared() {
        return declared;
    }

    /** Returns the rules that were never applied: a run that has such proves nothing. */
    public List<Rule> idle() {
        List<Rule> idle = new ArrayList<>();
        for (Rule rule : Rule.values()) {
            if (judged(rule) == 0) {
                idle.add(rule);
            }
        }
        return idle;
    }
}
