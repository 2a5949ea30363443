package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.What;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * C7. After the end of all faults each requested lock is granted again, each living thread acquires a lock, and
 * nothing is left behind.
 */
final class LivenessRule {

    /** The longest lease is below this, and the poll that detects a lost wake-up follows 5 s later at the latest. */
    private static final long WITHIN = 8_000_000_000L;

    private final Course course;
    private final Verdict verdict;

    LivenessRule(Course course, Verdict verdict) {
        this.course = course;
        this.verdict = verdict;
    }

    void check() {
        course.byLock.forEach(this::granted);
        threads();
        for (Event event : course.events) {
            if (event.is(What.LEFT)) {
                violate(event.at(), "left behind: " + event.note(), List.of(event));
            } else if (event.is(What.INSPECTED)) {
                verdict.judge(Rule.C7);
            }
        }
    }

    private void granted(String lock, List<Op> ops) {
        long requestedAt = Long.MAX_VALUE;
        long granted = Long.MAX_VALUE;
        for (Op op : ops) {
            if (op.invoked.at() > course.healed) {
                requestedAt = Math.min(requestedAt, op.invoked.at());
            }
            if (op.served() && op.at() > course.healed) {
                granted = Math.min(granted, op.at());
            }
        }
        if (requestedAt == Long.MAX_VALUE || requestedAt + WITHIN > course.ended) {
            return;
        }
        verdict.judge(Rule.C7);
        if (granted > requestedAt + WITHIN) {
            violate(
                    requestedAt + WITHIN,
                    lock + " was requested after the end of all faults, and not granted",
                    List.of());
        }
    }

    private void threads() {
        Map<String, Long> last = new HashMap<>();
        Set<String> alive = new TreeSet<>();
        for (Op op : course.ops()) {
            if (course.death(op.process()) == Long.MAX_VALUE) {
                String thread = op.process() + " " + op.invoked.thread();
                alive.add(thread);
                if (op.granted()) {
                    last.merge(thread, op.at(), Math::max);
                }
            }
        }
        for (String thread : alive) {
            verdict.judge(Rule.C7);
            if (course.ended - course.healed >= WITHIN && last.getOrDefault(thread, 0L) < course.healed) {
                violate(
                        course.ended,
                        "thread " + thread + " was granted nothing after the end of all faults",
                        List.of());
            }
        }
    }

    private void violate(long at, String text, List<Event> excerpt) {
        verdict.violate(true, new Violation(Rule.C7, at, text, excerpt));
    }
}
