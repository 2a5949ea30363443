package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.What;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/** C9. */
final class UnknownRule {

    private final Course course;
    private final Verdict verdict;

    UnknownRule(Course course, Verdict verdict) {
        this.course = course;
        this.verdict = verdict;
    }

    void check() {
        Map<String, NavigableSet<Long>> free = free();
        Map<String, Op> byId = new HashMap<>();
        course.ops().forEach(op -> byId.put(op.id(), op));
        for (Op op : course.ops()) {
            if (op.outcome != null && op.outcome.is(What.UNAVAILABLE)) {
                givenBack(op, free.getOrDefault(op.lock(), new TreeSet<>()));
            }
        }
        for (Event event : course.events) {
            Op op = event.is(What.READ, What.WROTE, What.WITNESS_READ, What.WITNESS_WROTE)
                    ? byId.get(event.op())
                    : null;
            if (op != null && !op.granted()) {
                violate(op, event.at(), op.id() + " used the resource and was not granted");
            }
        }
    }

    /** Returns when each lock was seen to be free: granted to a client, or without a hold in Redis. */
    private Map<String, NavigableSet<Long>> free() {
        Map<String, NavigableSet<Long>> free = new HashMap<>();
        for (Event event : course.events) {
            if (event.is(What.GRANTED) || (event.is(What.SAMPLED) && event.value() == 0)) {
                free.computeIfAbsent(event.lock(), lock -> new TreeSet<>()).add(event.at());
            }
        }
        return free;
    }

    /**
     * Checks that the lock is free once no fault prevents the release, or after the lease: any client that holds it
     * meanwhile was granted it, in that time or before. Of a lock that nobody asked for in that time, nothing is known.
     */
    private void givenBack(Op op, NavigableSet<Long> free) {
        long from = op.at();
        long bound = Math.max(from, heldUntil(op)) + op.lease() + 2 * Course.SLACK;
        for (Course.Fault fault : course.faults) {
            if (fault.from() <= bound && fault.to() >= from) {
                bound = Math.max(bound, fault.to() + op.lease() + 2 * Course.SLACK);
            }
        }
        if (bound >= course.ended) {
            return;
        }
        Long next = free.higher(from);
        boolean late = next == null || next > bound;
        if (late && !refused(op, bound, next == null ? Long.MAX_VALUE : next)) {
            return;
        }
        verdict.judge(Rule.C9);
        if (late) {
            violate(op, bound, op.lock() + " was unavailable for ever after the unknown " + op.id());
        }
    }

    /** Returns the moment until which those held the lock to whom it had been granted before; 0 if nobody did. */
    private long heldUntil(Op op) {
        return course.byLock.getOrDefault(op.lock(), List.of()).stream()
                .filter(other -> other.granted() && other.at() <= op.at())
                .mapToLong(course::heldUntil)
                .max()
                .orElse(0);
    }

    /** Returns whether others found the lock taken about then, or later and before it was free. */
    private boolean refused(Op op, long bound, long next) {
        return course.byLock.getOrDefault(op.lock(), List.of()).stream()
                .anyMatch(other -> other.outcome != null
                        && other.outcome.is(What.BUSY)
                        && other.at() > bound - op.lease()
                        && other.at() < next);
    }

    private void violate(Op op, long at, String text) {
        verdict.violate(true, new Violation(Rule.C9, at, text, op.events));
    }
}
