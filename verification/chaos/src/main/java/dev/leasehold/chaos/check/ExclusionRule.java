package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Event;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * C1. A claim extends from the grant of a lease to the last moment at which the lease was found to be held. A lease
 * only ever changes from held to not held, so it certainly was held in between. The rule therefore judges no claim
 * that was not made, and a killed or stopped process claims nothing beyond its last record.
 */
final class ExclusionRule {

    private final Course course;
    private final Level level;
    private final Verdict verdict;

    ExclusionRule(Course course, Level level, Verdict verdict) {
        this.course = course;
        this.level = level;
        this.verdict = verdict;
    }

    void check() {
        for (List<Op> ops : course.byLock.values()) {
            List<Op> claims = new ArrayList<>();
            for (Op op : ops) {
                if (op.granted() && op.claimedUntil > op.at()) {
                    claims.add(op);
                }
            }
            claims.sort(Comparator.comparingLong(Op::at));
            sweep(claims);
        }
    }

    private void sweep(List<Op> claims) {
        List<Op> open = new ArrayList<>();
        for (Op op : claims) {
            verdict.judge(Rule.C1);
            open.removeIf(other -> other.claimedUntil <= op.at());
            // Of a semaphore any others may hold permits, as long as there is one more.
            if (op.permits() == 1 || open.size() >= op.permits()) {
                open.stream()
                        .filter(other -> !(op.reads() && other.reads()))
                        .limit(op.permits() == 1 ? open.size() : 1)
                        .forEach(other -> overlap(other, op));
            }
            open.add(op);
        }
    }

    private void overlap(Op first, Op second) {
        long end = Math.min(first.claimedUntil, second.claimedUntil);
        long retained = first.retains() || second.retains() ? TokenRule.RETAINED_NANOS : 0;
        boolean promised = course.faults.stream()
                .noneMatch(fault -> level.losesHolds(fault.kind())
                        && second.at() >= fault.from()
                        // The client that was granted first may have received its answer later, or may have retained
                        // the hold.
                        && Math.min(first.invoked.at(), second.invoked.at()) <= fault.to() + retained
                        && end <= fault.to() + Math.max(first.lease(), second.lease()));
        List<Event> excerpt = new ArrayList<>(first.events);
        excerpt.addAll(second.events);
        excerpt.sort(Comparator.comparingLong(Event::at));
        verdict.violate(
                promised,
                new Violation(
                        Rule.C1,
                        second.at(),
                        first.id() + " and " + second.id() + " both held " + first.lock() + " for "
                                + (end - second.at()) / 1000 + " us",
                        excerpt));
    }
}
