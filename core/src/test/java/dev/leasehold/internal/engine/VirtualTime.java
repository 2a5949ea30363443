package dev.leasehold.internal.engine;

import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.PriorityQueue;

/** Clocks and a timer that move when the test says so. The monotonic clock wraps after ten seconds. */
public final class VirtualTime implements TimeSource, Timer {

    private static final int MOST_AT_ONCE = 1000;

    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private long passed;
    private long surplusMillis;
    private long tickets;
    private boolean standsStill;

    private record Task(long due, long ticket, Runnable task) implements Comparable<Task> {
        @Override
        public int compareTo(Task other) {
            return due != other.due ? Long.compare(due, other.due) : Long.compare(ticket, other.ticket);
        }
    }

    @Override
    public long nanoTime() {
        return Long.MAX_VALUE - 10_000_000_000L + passed;
    }

    @Override
    public long wallMillis() {
        return 1_795_227_625_000L + passed / 1_000_000 + surplusMillis;
    }

    /** Redis TIME, in us. */
    public long serverMicros() {
        return 1_795_227_625_000_000L + passed / 1000;
    }

    @Override
    public Timeout schedule(Runnable task, long delayNanos) {
        Task scheduled = new Task(passed + Math.max(0, delayNanos), tickets++, task);
        tasks.add(scheduled);
        return () -> tasks.remove(scheduled);
    }

    /** How many tasks are planned. */
    public int planned() {
        return tasks.size();
    }

    /** Lets time pass and runs what becomes due, each at its moment. */
    public void pass(Duration time) {
        long until = passed + time.toNanos();
        int atOnce = 0;
        while (!tasks.isEmpty() && tasks.peek().due <= until) {
            Task next = tasks.poll();
            atOnce = next.due > passed ? 0 : atOnce + 1;
            if (atOnce > MOST_AT_ONCE) {
                throw new AssertionError("an endless loop: " + atOnce + " tasks and no time has passed");
            }
            passed = Math.max(passed, next.due);
            next.task.run();
        }
        passed = Math.max(passed, until);
    }

    /** From now on it stands still also for whoever waits: for threads that shall really wait. */
    public void standStill() {
        standsStill = true;
    }

    /** A waiting thread lets time pass. */
    @Override
    public void pause(long nanos) {
        if (standsStill) {
            TimeSource.super.pause(nanos);
        } else {
            pass(Duration.ofNanos(nanos));
        }
    }

    /** Time passes and no timer runs: the process was paused. */
    public void pauseProcess(Duration time) {
        passed += time.toNanos();
    }

    /** The wall clock steps; nothing else does. */
    public void stepWall(Duration step) {
        surplusMillis += step.toMillis();
    }

    /** How many tasks have been scheduled so far. */
    public long everScheduled() {
        return tickets;
    }

    @Override
    public void close() {
        tasks.clear();
    }
}
