package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.What;
import java.util.List;

/** C3. A process that was stopped cannot be told in that time, and nobody is told who has released. */
final class LossRule {

    /** Renewed after a third. */
    private static final int PARTS = 3;

    private final Course course;
    private final Level level;
    private final Verdict verdict;

    LossRule(Course course, Level level, Verdict verdict) {
        this.course = course;
        this.level = level;
        this.verdict = verdict;
    }

    void check() {
        for (Op op : course.ops()) {
            if (op.granted()) {
                once(op);
                atTheEndOfALeaseThatIsNotRenewed(op);
                atTheRenewalAfterAllWasDeleted(op);
                afterAnotherWasGranted(op);
            }
        }
    }

    private void once(Op op) {
        if (op.count(What.LOST) > 1) {
            violate(op, op.at(), "the loss of " + op.id() + " was told more than once");
        }
        Event seen = op.first(What.NOT_HELD);
        if (seen != null && seen.at() < op.releasedAt()) {
            told(op, seen.at(), 0, "of which it was known that it is not held");
        }
    }

    private void atTheEndOfALeaseThatIsNotRenewed(Op op) {
        if (!op.renewed()) {
            told(op, op.at() + op.lease(), 0, "whose lease was over");
        }
    }

    private void atTheRenewalAfterAllWasDeleted(Op op) {
        for (Course.Fault fault : course.faults) {
            if (level.removesAll(fault.kind())
                    && op.renewed()
                    && op.at() < fault.from()
                    && !others(fault, fault.from(), fault.to() + op.lease())) {
                told(op, fault.to(), op.lease() / PARTS, "whose hold was deleted");
            }
        }
    }

    private boolean others(Course.Fault but, long from, long to) {
        return course.faults.stream()
                .anyMatch(fault -> !fault.id().equals(but.id()) && fault.from() <= to && fault.to() >= from);
    }

    /** Whatever the reason: another holder's grant shows that the hold was gone. Without an answer of Redis the deadline tells. */
    private void afterAnotherWasGranted(Op op) {
        if (op.reads()) {
            return;
        }
        long next = Long.MAX_VALUE;
        for (Op other : course.byLock.getOrDefault(op.lock(), List.of())) {
            if (other != op && other.granted() && other.claimedUntil > other.at() && other.at() > op.at()) {
                next = other.at();
                break;
            }
        }
        if (next != Long.MAX_VALUE) {
            told(op, next, op.lease(), "while another held the lock");
        }
    }

    private void told(Op op, long lost, long within, String why) {
        long bound = course.later(op.process(), Math.max(op.at(), lost), within + Course.SLACK);
        Event told = op.first(What.LOST, What.RELEASE_LOST);
        if (told != null && told.at() <= bound) {
            verdict.judge(Rule.C3);
            return;
        }
        if (op.releasedAt() <= bound || course.death(op.process()) <= bound || course.ended <= bound) {
            return;
        }
        verdict.judge(Rule.C3);
        violate(
                op,
                bound,
                "the loss of " + op.id() + ", " + why + ", was "
                        + (told == null ? "not told" : "told " + (told.at() - lost) / 1_000_000 + " ms later"));
    }

    private void violate(Op op, long at, String text) {
        verdict.violate(true, new Violation(Rule.C3, at, text, op.events));
    }
}
