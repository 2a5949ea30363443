package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Event;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * C4. Judged in real time: a client that was granted before another sent its request has the lower token, whatever
 * happened between.
 */
final class TokenRule {

    /** The time for which processes retain holds, and some for the clocks. */
    static final long RETAINED_NANOS = 500_000_000;

    /** By how much the tokens of a block may be ahead of the time of the server. */
    private static final long BLOCK_MICROS = 1_000_000;

    private static final long NANOS_PER_MICRO = 1_000;

    private final Course course;
    private final Level level;
    private final Verdict verdict;

    TokenRule(Course course, Level level, Verdict verdict) {
        this.course = course;
        this.level = level;
        this.verdict = verdict;
    }

    void check() {
        for (List<Op> ops : course.byLock.values()) {
            List<Op> fenced = new ArrayList<>(ops.stream().filter(Op::fenced).toList());
            unique(fenced);
            rising(fenced);
        }
    }

    private void unique(List<Op> ops) {
        Map<Long, Op> seen = new HashMap<>();
        for (Op op : ops) {
            Op twin = seen.putIfAbsent(op.token(), op);
            if (twin != null && !(twin.reads() && op.reads())) {
                violate(twin, op, twin.id() + " and " + op.id() + " have the same token");
            }
        }
    }

    private void rising(List<Op> ops) {
        // A reader may join the hold of others of its process, and has its token: that of the first of them.
        Map<Long, Long> ofReaders = new HashMap<>();
        ops.stream().filter(Op::reads).forEach(op -> ofReaders.merge(op.token(), op.invoked.at(), Math::min));
        ToLongFunction<Op> came = op -> op.reads() ? ofReaders.get(op.token()) : op.invoked.at();
        List<Op> byInvocation = new ArrayList<>(ops);
        byInvocation.sort(Comparator.comparingLong(came));
        int next = 0;
        Op writer = null;
        Op reader = null;
        for (Op op : byInvocation) {
            while (next < ops.size() && ops.get(next).at() < came.applyAsLong(op)) {
                Op before = ops.get(next++);
                if (before.reads()) {
                    reader = reader == null || reader.token() < before.token() ? before : reader;
                } else {
                    writer = writer == null || writer.token() < before.token() ? before : writer;
                }
            }
            verdict.judge(Rule.C4);
            if (writer != null && op.token() <= writer.token()) {
                violate(writer, op, op.id() + " came after " + writer.id() + " and has no higher token");
            } else if (reader != null && (op.reads() ? op.token() < reader.token() : op.token() <= reader.token())) {
                violate(reader, op, op.id() + " came after the reader " + reader.id() + " and has no higher token");
            }
        }
    }

    private void violate(Op first, Op second, String text) {
        List<Event> excerpt = new ArrayList<>(first.events);
        excerpt.addAll(second.events);
        boolean unpromised =
                mayFall(course, level, second.at()) || lostWhileRetained(first, second) || aheadByABlock(first, second);
        verdict.violate(!unpromised, new Violation(Rule.C4, second.at(), text, excerpt));
    }

    /**
     * Returns whether data were lost so shortly before the second that its process may have retained the hold from before: as the lease
     * of a lost hold, it has the lower token, which the resource refuses.
     */
    private boolean lostWhileRetained(Op first, Op second) {
        return second.retains()
                && course.faults.stream()
                        .anyMatch(fault -> level.losesHolds(fault.kind())
                                && fault.from() <= first.at()
                                && second.at() - fault.to() <= RETAINED_NANOS
                                && second.token() < first.token());
    }

    /**
     * Returns whether data were lost, and the first may have had a token of a block: up to a second ahead of the time at which it was
     * granted, while that of the second is at least the time at which it was requested.
     */
    private boolean aheadByABlock(Op first, Op second) {
        long passedMicros = (second.invoked.at() - first.at()) / NANOS_PER_MICRO;
        return second.token() - first.token() > passedMicros - BLOCK_MICROS
                && course.faults.stream()
                        .anyMatch(fault -> level.losesHolds(fault.kind())
                                && fault.from() <= second.at()
                                && second.invoked.at() - fault.to() < BLOCK_MICROS * NANOS_PER_MICRO);
    }

    /** Returns whether tokens may fall. Section 4: a clock that is behind, after data were lost, is the only reason. */
    static boolean mayFall(Course course, Level level, long at) {
        boolean back = false;
        boolean lost = false;
        for (Course.Fault fault : course.faults) {
            if (fault.from() <= at) {
                back |= Level.putsClockBack(fault.kind());
                lost |= level.losesHolds(fault.kind());
            }
        }
        return back && lost;
    }
}
