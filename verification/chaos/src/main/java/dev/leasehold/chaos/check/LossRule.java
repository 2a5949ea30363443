package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.What;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/** C3. A stopped process cannot be notified while it is stopped, and a holder that has released is not notified. */
final class LossRule {

    /** Leases are renewed after a third. */
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
            violate(op, op.at(), "the loss of " + op.id() + " was reported more than once");
        }
        Event seen = course.notHeld(op);
        if (seen != null && seen.at() < op.releasedAt()) {
            reported(op, seen.at(), 0, "of which it was known that it is not held");
        }
    }

    private void atTheEndOfALeaseThatIsNotRenewed(Op op) {
        if (!op.renewed()) {
            reported(op, op.at() + op.lease(), 0, "whose lease was over");
        }
    }

    private void atTheRenewalAfterAllWasDeleted(Op op) {
        for (Course.Fault fault : removing) {
            // A holder that had released before need not be notified.
            if (op.renewed()
                    && op.at() < fault.from()
                    && op.releasedAt() > fault.from()
                    && !others(fault, fault.from(), fault.to() + op.lease())) {
                reported(op, fault.to(), op.lease() / PARTS, "whose hold was deleted");
            }
        }
    }

    private boolean others(Course.Fault but, long from, long to) {
        return course.faults.stream()
                .anyMatch(fault -> !fault.id().equals(but.id()) && fault.from() <= to && fault.to() >= from);
    }

    /**
     * Applies whatever the reason: another holder's grant shows that the hold was gone. Without an answer of Redis
     * the deadline decides.
     */
    private void afterAnotherWasGranted(Op op) {
        if (op.reads() || op.permits() > 1) {
            return;
        }
        Long next = claimed(op.lock()).higher(op.at());
        if (next != null) {
            reported(op, next, op.lease(), "while another held the lock");
        }
    }

    /** Returns the moments at which the lock was granted to clients that then claimed it. */
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

    private void reported(Op op, long lost, long within, String why) {
        long bound = course.later(op.process(), Math.max(op.at(), lost), within + Course.SLACK);
        Event reported = op.first(What.LOST, What.RELEASE_LOST);
        if (reported != null && reported.at() <= bound) {
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
                        + (reported == null
                                ? "not reported"
                                : "reported " + (reported.at() - lost) / 1_000_000 + " ms later"));
    }

    private void violate(Op op, long at, String text) {
        verdict.violate(true, new Violation(Rule.C3, at, text, op.events));
    }
}
