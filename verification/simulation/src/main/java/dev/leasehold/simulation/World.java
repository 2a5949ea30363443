package dev.leasehold.simulation;

import java.util.PriorityQueue;

/**
 * True time, and its future events: one queue, in which events due at the same moment run in the order in which
 * they were added. Everything in a simulation runs in the thread that calls {@link #runUntil}.
 */
final class World {

    /** Far above any seed: so many events can only be a loop that makes no progress. */
    private static final int TOO_MANY = 3_000_000;

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long now;
    private long added;
    private int run;

    private record Event(long at, long order, Runnable task) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
        }
    }

    /** Returns the nanoseconds since the beginning. */
    long now() {
        return now;
    }

    void at(long time, Runnable task) {
        events.add(new Event(Math.max(time, now), added++, task));
    }

    void after(long nanos, Runnable task) {
        at(now + Math.max(0, nanos), task);
    }

    /** Runs the events that are due until then. */
    void runUntil(long end) {
        while (!events.isEmpty() && events.peek().at <= end) {
            Event next = events.remove();
            now = next.at;
            if (++run > TOO_MANY) {
                throw new IllegalStateException("the simulation makes no progress: " + TOO_MANY + " events");
            }
            next.task.run();
        }
        now = Math.max(now, end);
    }
}
