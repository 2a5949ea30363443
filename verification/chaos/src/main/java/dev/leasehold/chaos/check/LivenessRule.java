package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.What;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** C7. Once all is well: each lock is granted again to who asks, each thread that lives gets a lock, and nothing is left. */
final class LivenessRule {

    /** The longest lease is below this, and a look that finds what no wake-up told comes 5 s later at the latest. */
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
            } else if (event.is(What.LOOKED)) {
                verdict.judge(Rule.C7);
            }
        }
    }

    private void granted(String lock, List<Op> ops) {
        long asked = Long.MAX_VALUE;
        long granted = Long.MAX_VALUE;
        for (Op op : ops) {
            if (op.invoked.at() > course.healed) {
                asked = Math.min(asked, op.invoked.at());
            }
            if (op.granted() && op.at() > course.healed) {
                granted = Math.min(granted, op.at());
            }
        }
        if (asked == Long.MAX_VALUE || asked + WITHIN > course.ended) {
            return;
        }
        verdict.judge(Rule.C7);
        if (granted > asked + WITHIN) {
            violate(asked + WITHIN, lock + " was asked for after all was well, and not granted", List.of());
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
                violate(course.ended, "thread " + thread + " was granted nothing after all was well", List.of());
            }
        }
    }

    private void violate(long at, String text, List<Event> excerpt) {
        verdict.violate(true, new Violation(Rule.C7, at, text, excerpt));
    }
}
