package dev.leasehold.chaos.check;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What the rules made of a run: how often each had something to judge, what was broken, and what nobody had promised. */
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

    /** How often the rule had something to judge. */
    public long judged(Rule rule) {
        return Objects.requireNonNullElse(judged.get(rule), 0L);
    }

    /** What was broken of what is promised. */
    public List<Violation> violations() {
        return violations;
    }

    /** What happened where docs/guarantees.md promises nothing: declared unsafe. */
    public List<Violation> declared() {
        return declared;
    }

    /** The rules that had nothing to judge: a run that has such proves nothing. */
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
