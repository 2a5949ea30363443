package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.What;
import java.util.List;

/** For how long a lock was asked for, and nobody had it. */
final class StandStill {

    private StandStill() {}

    /** The longest of all locks, in ns. */
    static long longest(Course course) {
        return course.byLock.values().stream()
                .mapToLong(ops -> longest(course, ops))
                .max()
                .orElse(0);
    }

    /** Of those who asked for one lock, in the order in which they were answered. */
    private static long longest(Course course, List<Op> ops) {
        // Who asked first of those who were answered then or later.
        long[] asked = new long[ops.size() + 1];
        asked[ops.size()] = Long.MAX_VALUE;
        for (int n = ops.size() - 1; n >= 0; n--) {
            Op op = ops.get(n);
            asked[n] = op.outcome == null ? asked[n + 1] : Math.min(asked[n + 1], op.invoked.at());
        }
        long longest = 0;
        long free = Long.MIN_VALUE;
        int waiting = 0;
        for (Op op : ops) {
            if (!op.granted()) {
                continue;
            }
            waiting = after(free, ops, waiting);
            longest = Math.max(longest, op.at() - Math.max(free, asked[waiting]));
            free = Math.max(free, end(course, op));
        }
        waiting = after(free, ops, waiting);
        boolean refusedLater = asked[waiting] != Long.MAX_VALUE && course.ended != Long.MAX_VALUE;
        return refusedLater ? Math.max(longest, course.ended - Math.max(free, asked[waiting])) : longest;
    }

    /** The first from this one on who was answered later than that. */
    private static int after(long free, List<Op> ops, int from) {
        int next = from;
        while (next < ops.size() && ops.get(next).at() <= free) {
            next++;
        }
        return next;
    }

    /** When its holder released, or knew that it has lost it, or died. */
    private static long end(Course course, Op op) {
        Event gone = op.first(What.NOT_HELD, What.LOST);
        long end = Math.min(op.releasedAt(), course.death(op.process()));
        end = gone == null ? end : Math.min(end, gone.at());
        return end == Long.MAX_VALUE ? Math.max(op.at(), op.claimedUntil) : end;
    }
}
