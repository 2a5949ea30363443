package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.What;

/** C2. */
final class UseRule {

    private final Course course;
    private final Verdict verdict;

    UseRule(Course course, Verdict verdict) {
        this.course = course;
        this.verdict = verdict;
    }

    void check() {
        for (Op op : course.ops()) {
            if (op.granted()) {
                check(op);
            }
        }
    }

    private void check(Op op) {
        verdict.judge(Rule.C2);
        Event notHeld = course.notHeld(op);
        long end = notHeld == null ? Long.MAX_VALUE : notHeld.at();
        for (Event event : op.events) {
            if (event.is(What.LOST, What.RELEASED, What.RELEASE_LOST)) {
                end = Math.min(end, event.at());
            } else if (event.is(What.HELD) && event.at() > end) {
                violate(op, event, op.id() + " reports that it is held after it had ended");
                return;
            } else if (event.is(What.HELD) && !op.renewed() && event.at() > op.at() + op.lease()) {
                violate(op, event, op.id() + " was never renewed and reports that it is held after its lease");
                return;
            } else if (event.is(What.GRANTED) && event.value() > event.at() + op.lease()) {
                violate(op, event, op.id() + " reports that it lasts for longer than its lease");
                return;
            }
        }
    }

    private void violate(Op op, Event event, String text) {
        verdict.violate(true, new Violation(Rule.C2, event.at(), text, op.events));
    }
}
