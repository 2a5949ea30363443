package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.What;
import java.util.List;

/** The time in which a lock was requested, and no client had it. */
final class StandStill {

    private StandStill() {}

    /** Returns the longest time of all locks, in ns. */
    static long longest(Course course) {
        return course.byLock.values().stream()
                // A latch is never held.
                .filter(ops -> ops.stream().noneMatch(op -> op.outcome != null && op.outcome.is(What.OPENED)))
                .mapToLong(ops -> longest(course, ops))
                .max()
                .orElse(0);
    }

    /** Returns the longest time of one lock, whose requests are in the order in which they were answered. */
    private static long longest(Course course, List<Op> ops) {
        // The earliest request of those that were answered then or later.
        long[] requestedAt = new long[ops.size() + 1];
        requestedAt[ops.size()] = Long.MAX_VALUE;
        for (int n = ops.size() - 1; n >= 0; n--) {
            Op op = ops.get(n);
            requestedAt[n] = op.outcome == null ? requestedAt[n + 1] : Math.min(requestedAt[n + 1], op.invoked.at());
        }
        long longest = 0;
        long free = Long.MIN_VALUE;
        int waiting = 0;
        for (Op op : ops) {
            if (!op.granted()) {
                continue;
            }
            waiting = after(free, ops, waiting);
            longest = Math.max(longest, op.at() - Math.max(free, requestedAt[waiting]));
            free = Math.max(free, course.heldUntil(op));
        }
        waiting = after(free, ops, waiting);
        boolean refusedLater = requestedAt[waiting] != Long.MAX_VALUE && course.ended != Long.MAX_VALUE;
        return refusedLater ? Math.max(longest, course.ended - Math.max(free, requestedAt[waiting])) : longest;
    }

    /** Returns the first from this one on that was answered later than that. */
    private static int after(long free, List<Op> ops, int from) {
        int next = from;
        while (next < ops.size() && ops.get(next).at() <= free) {
            next++;
        }
        return next;
    }
}
