package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.What;
import java.util.List;

/** C6. A named owner counts its own holds, and an exclusive lock has one live hold in Redis at the most. */
final class OnceRule {

    private final Course course;
    private final Verdict verdict;

    OnceRule(Course course, Verdict verdict) {
        this.course = course;
        this.verdict = verdict;
    }

    void check() {
        for (Event event : course.events) {
            if (event.is(What.COUNTED)) {
                verdict.judge(Rule.C6);
                long unknown = Long.parseLong(event.note());
                if (event.value() > event.token() + unknown) {
                    violate(
                            event,
                            "an owner that entered " + event.token() + " times, and perhaps " + unknown
                                    + " more, has more holds");
                }
            } else if (event.is(What.SAMPLED)) {
                verdict.judge(Rule.C6);
                if (event.value() > 1) {
                    violate(event, "an exclusive lock has several live holds");
                }
            }
        }
    }

    private void violate(Event event, String text) {
        verdict.violate(true, new Violation(Rule.C6, event.at(), event.lock() + ": " + text, List.of(event)));
    }
}
