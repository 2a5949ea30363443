package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.What;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The events of a run, sorted for the rules. */
final class Course {

    /** The longest delay of an unhindered thread on a machine where all processors are busy. */
    static final long SLACK = 2_500_000_000L;

    final List<Event> events;
    final List<Fault> faults = new ArrayList<>();
    final Map<String, List<Op>> byLock = new LinkedHashMap<>();
    private final Map<String, Op> ops = new LinkedHashMap<>();
    private final Map<String, List<Event>> stops = new HashMap<>();
    private final Map<String, List<Long>> moves = new HashMap<>();
    private final Map<String, Long> births = new HashMap<>();
    private final Map<String, Long> deaths = new HashMap<>();
    long healed = Long.MAX_VALUE;
    long ended = Long.MAX_VALUE;

    /** A fault, from its beginning to its end. */
    record Fault(String id, String kind, String target, long from, long to) {}

    Course(List<Event> events) {
        this.events = events;
        Map<String, Event> begun = new LinkedHashMap<>();
        for (Event event : events) {
            births.merge(event.process(), event.at(), Math::min);
            switch (event.what()) {
                case INVOKED -> ops.put(event.op(), new Op(event));
                case FAULT_BEGINS -> begun.put(event.op(), event);
                case FAULT_ENDS -> fault(begun.remove(event.op()), event.at());
                case STOPPED, CONTINUED ->
                    stops.computeIfAbsent(event.thread(), process -> new ArrayList<>())
                            .add(event);
                case CLOCK_MOVED ->
                    moves.computeIfAbsent(event.thread(), process -> new ArrayList<>())
                            .add(event.at());
                case KILLED -> deaths.put(event.thread(), event.at());
                case HEALED -> healed = event.at();
                case ENDED -> ended = event.at();
                default -> {
                    Op op = ops.get(event.op());
                    if (op != null && event.process().equals(op.process())) {
                        op.add(event);
                    }
                }
            }
        }
        begun.values().forEach(event -> fault(event, Long.MAX_VALUE / 2));
        for (Op op : ops.values()) {
            byLock.computeIfAbsent(op.lock(), lock -> new ArrayList<>()).add(op);
        }
        byLock.values().forEach(some -> some.sort(Comparator.comparingLong(Op::at)));
    }

    private void fault(@Nullable Event begun, long to) {
        if (begun != null) {
            faults.add(new Fault(begun.op(), begun.note(), begun.thread(), begun.at(), to));
        }
    }

    Iterable<Op> ops() {
        return ops.values();
    }

    /** Returns how long the process had been at work. */
    long age(String process, long at) {
        return at - births.getOrDefault(process, at);
    }

    /** Returns the moment at which the process died, or never. */
    long death(String process) {
        return deaths.getOrDefault(process, Long.MAX_VALUE);
    }

    /** Returns how long the process was stopped between two moments. */
    long stopped(String process, long from, long to) {
        long sum = 0;
        long since = -1;
        for (Event event : stops.getOrDefault(process, List.of())) {
            if (event.is(What.STOPPED)) {
                since = event.at();
            } else if (since >= 0) {
                sum += Math.max(0, Math.min(to, event.at()) - Math.max(from, since));
                since = -1;
            }
        }
        return since >= 0 ? sum + Math.max(0, to - Math.max(from, since)) : sum;
    }

    /**
     * Returns the event in which the acquisition's lease first reports its end, not merely that it needs Redis'
     * confirmation because a wall clock moved.
     */
    @Nullable
    Event notHeld(Op op) {
        return op.events.stream()
                .filter(event -> event.is(What.NOT_HELD) && !suspect(op.process(), event.at()))
                .findFirst()
                .orElse(null);
    }

    /** Returns the moment at which the holder released a granted lock, or knew of its loss, or died. */
    long heldUntil(Op op) {
        Event gone = op.first(What.NOT_HELD, What.LOST);
        long end = Math.min(op.releasedAt(), death(op.process()));
        end = gone == null ? end : Math.min(end, gone.at());
        return end == Long.MAX_VALUE ? Math.max(op.at(), op.claimedUntil) : end;
    }

    /**
     * Returns whether the wall clock of the process moved shortly before: its leases are not held then until Redis
     * confirms them.
     */
    private boolean suspect(String process, long at) {
        return moves.getOrDefault(process, List.of()).stream().anyMatch(moved -> moved <= at && at <= moved + SLACK);
    }

    /**
     * Returns the moment at which so much time has passed for the process, not counting the time in which it was
     * stopped.
     */
    long later(String process, long from, long time) {
        long bound = from + time;
        for (long next = from; next != bound; ) {
            next = bound;
            bound = from + time + stopped(process, from, next);
        }
        return bound;
    }

    /** Returns whether a fault overlaps the span. */
    boolean faulty(long from, long to) {
        return faults.stream().anyMatch(fault -> fault.from() <= to && fault.to() >= from);
    }
}
