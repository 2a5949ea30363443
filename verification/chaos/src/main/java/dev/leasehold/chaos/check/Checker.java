package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Event;
import java.util.List;

/** Judges the histories of a run by all rules. */
public final class Checker {

    private Checker() {}

    /** Judges. */
    public static Verdict check(List<Event> events, Level level) {
        Verdict verdict = new Verdict();
        Record record = new Record(events);
        new ExclusionRule(record, level, verdict).check();
        new UseRule(record, verdict).check();
        new LossRule(record, level, verdict).check();
        new TokenRule(record, level, verdict).check();
        new ResourceRule(record, level, verdict).check();
        new OnceRule(record, verdict).check();
        new LivenessRule(record, verdict).check();
        new WaitRule(record, verdict).check();
        new UnknownRule(record, verdict).check();
        return verdict;
    }
}
