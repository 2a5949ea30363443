package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.What;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * C5. The resource's own history, in its order: the tokens it accepted never fall, and each accepted write is based
 * on the previous one, so that the value is the number of accepted writes.
 */
final class ResourceRule {

    private final Course course;
    private final Level level;
    private final Verdict verdict;

    ResourceRule(Course course, Level level, Verdict verdict) {
        this.course = course;
        this.level = level;
        this.verdict = verdict;
    }

    void check() {
        Map<String, Event> highest = new HashMap<>();
        Map<String, Long> values = new HashMap<>();
        for (Event event : course.events) {
            if (!event.is(What.READ, What.WROTE) || !event.note().equals("accepted")) {
                continue;
            }
            verdict.judge(Rule.C5);
            Event last = highest.put(event.lock(), event);
            if (last != null && event.token() < last.token()) {
                violate(last, event, "a token below an earlier one was accepted");
            }
            if (event.is(What.WROTE)) {
                long value = values.merge(event.lock(), 1L, Long::sum);
                if (event.value() != value) {
                    violate(
                            last == null ? event : last,
                            event,
                            "an accepted write was overwritten unseen: the value should be " + value);
                    values.put(event.lock(), event.value());
                }
            }
        }
    }

    private void violate(Event last, Event event, String text) {
        verdict.violate(
                !TokenRule.mayFall(course, level, event.at()),
                new Violation(Rule.C5, event.at(), event.lock() + ": " + text, List.of(last, event)));
    }
}
