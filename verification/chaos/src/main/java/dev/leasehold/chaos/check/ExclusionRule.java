package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Event;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * C1. A lease is claimed from when it was handed out to the last moment at which it was then found to be held: what a lease
 * says of itself only ever goes from held to not held, so it certainly was held in between. So no claim is judged that was
 * not made, and a process that is killed or stopped claims nothing beyond the last it wrote down.
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
            for (Op other : open) {
                if (!(op.reads() && other.reads())) {
                    overlap(other, op);
                }
            }
            open.add(op);
        }
    }

    private void overlap(Op first, Op second) {
        long end = Math.min(first.claimedUntil, second.claimedUntil);
        boolean promised = course.faults.stream()
                .noneMatch(fault -> level.losesHolds(fault.kind())
                        && second.at() >= fault.from()
                        // Who was granted first may have been told later.
                        && Math.min(first.invoked.at(), second.invoked.at()) <= fault.to()
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
