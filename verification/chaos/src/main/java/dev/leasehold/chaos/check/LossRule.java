package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.What;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/** C3. A process that was stopped cannot be told in that time, and nobody is told who has released. */
final class LossRule {

    /** Renewed after a third. */
    private static final int PARTS = 3;

    private final Course course;
    private final Verdict verdict;
    private final Map<String, NavigableSet<Long>> claimed = new HashMap<>();
    private final List<Course.Fault> removing;

    LossRule(Course course, Level level, Verdict verdict) {
        this.course = course;
        this.verdict = verdict;
        removing = course.faults.stream()
                .filter(fault -> level.removesAll(fault.kind()))
                .toList();
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
        Event seen = course.notHeld(op);
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
        for (Course.Fault fault : removing) {
            // Who had released before need not be told.
            if (op.renewed()
                    && op.at() < fault.from()
                    && op.releasedAt() > fault.from()
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
        Long next = claimed(op.lock()).higher(op.at());
        if (next != null) {
            told(op, next, op.lease(), "while another held the lock");
        }
    }

    /** When the lock was granted to those who then claimed it. */
    private NavigableSet<Long> claimed(String lock) {
        return claimed.computeIfAbsent(lock, name -> {
            NavigableSet<Long> moments = new TreeSet<>();
            for (Op op : course.byLock.getOrDefault(name, List.of())) {
                if (op.granted() && op.claimedUntil > op.at()) {
                    moments.add(op.at());
                }
            }
            return moments;
        });
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
