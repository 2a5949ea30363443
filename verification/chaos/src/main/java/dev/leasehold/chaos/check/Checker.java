package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Event;
import java.util.List;

/** Judges the histories of a run by all rules. */
public final class Checker {

    private Checker() {}

    /** Checks these events for this level. */
    public static Verdict check(List<Event> events, Level level) {
        Verdict verdict = new Verdict();
        Course course = new Course(events);
        new ExclusionRule(course, level, verdict).check();
        new UseRule(course, verdict).check();
        new LossRule(course, level, verdict).check();
        new TokenRule(course, level, verdict).check();
        new ResourceRule(course, level, verdict).check();
        new OnceRule(course, verdict).check();
        new LivenessRule(course, verdict).check();
        new WaitRule(course, verdict).check();
        new UnknownRule(course, verdict).check();
        return verdict;
    }
}
