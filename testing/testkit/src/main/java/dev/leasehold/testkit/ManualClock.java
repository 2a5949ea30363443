package dev.leasehold.testkit;

import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A time that only the test advances: clocks and timer in one. {@link #advance} runs the tasks that become due on
 * the calling thread, in the order of their due times and, where these are equal, of their scheduling. During a
 * task the clocks show its due time.
 *
 * <p>Safe for use by any thread; tasks run under no lock. It never reads the machine's clocks.
 */
public final class ManualClock implements TimeSource, Timer {

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long NANOS_PER_MICRO = 1_000;
    private static final long MICROS_PER_MILLI = 1_000;
    /** The wall clock's start: 21 November 2026. */
    private static final long WALL_ORIGIN_MILLIS = 1_795_227_625_000L;
    /** Not zero, so that no code can mistake a time for "not set". */
    private static final long NANO_ORIGIN = 1_000_000_000_000L;

    private static final int MOST_AT_ONCE = 100_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private final long nanoOrigin;
    private volatile long passed;
    private final AtomicLong steppedMillis = new AtomicLong();
    private long tickets;
    private boolean closed;

    private ManualClock(long nanoOrigin) {
        this.nanoOrigin = nanoOrigin;
    }

    /** Creates a clock that begins at some moment of November 2026. */
    public static ManualClock create() {
        return new ManualClock(NANO_ORIGIN);
    }

    /** Creates a clock whose monotonic time begins at this value, for tests of its overflow. */
    public static ManualClock startingAt(long nanoTime) {
        return new ManualClock(nanoTime);
    }

    private static final class Task implements Comparable<Task>, Timeout {
        private final long due;
        private final long ticket;
        private final Runnable action;
        private volatile boolean cancelled;

        Task(long due, long ticket, Runnable action) {
            this.due = due;
            this.ticket = ticket;
            this.action = action;
        }

        @Override
        public void cancel() {
            cancelled = true;
        }

        @Override
        public int compareTo(Task other) {
            return due != other.due ? Long.compare(due, other.due) : Long.compare(ticket, other.ticket);
        }
    }

    @Override
    public long nanoTime() {
        return nanoOrigin + passed;
    }

    @Override
    public long wallMillis() {
        return WALL_ORIGIN_MILLIS + passed / NANOS_PER_MILLI + steppedMillis.get();
    }

    /**
     * Returns the wall clock as Redis TIME would show it, in microseconds since the epoch, if {@link #stepWall} has
     * not stepped it.
     */
    public long micros() {
        return WALL_ORIGIN_MILLIS * MICROS_PER_MILLI + passed / NANOS_PER_MICRO;
    }

    /**
     * Advances both clocks and runs the tasks that become due meanwhile, including those scheduled meanwhile.
     *
     * @param time the time to advance by; zero runs the tasks that are due now
     * @throws IllegalArgumentException if it is negative
     * @throws IllegalStateException if tasks schedule each other without end and no time passes
     */
    public void advance(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("time does not go back: " + time + "; stepWall sets the wall clock");
        }
        long until = passed + time.toNanos();
        int atOnce = 0;
        for (Task next = nextUntil(until); next != null; next = nextUntil(until)) {
            atOnce = next.due > passed ? 0 : atOnce + 1;
            if (atOnce > MOST_AT_ONCE) {
                throw new IllegalStateException(
                        "an endless loop: " + atOnce + " tasks ran and no time has passed, the last is " + next.action);
            }
            moveTo(next.due);
            next.action.run();
        }
        moveTo(until);
    }

    /** Moves the clock forward, never back: another thread may have moved it, or a task that waited. */
    private void moveTo(long moment) {
        lock.lock();
        try {
            passed = Math.max(passed, moment);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Advances the clock by this time, since a waiting caller would otherwise wait for ever; returns immediately if
     * the thread is interrupted.
     */
    @Override
    public void pause(long nanos) {
        if (nanos > 0 && !Thread.currentThread().isInterrupted()) {
            advance(Duration.ofNanos(nanos));
        }
    }

    private @Nullable Task nextUntil(long until) {
        lock.lock();
        try {
            dropCancelled();
            Task first = tasks.peek();
            return first != null && first.due <= until ? tasks.poll() : null;
        } finally {
            lock.unlock();
        }
    }

    private void dropCancelled() {
        for (Task first = tasks.peek(); first != null && first.cancelled; first = tasks.peek()) {
            tasks.poll();
        }
    }

    /**
     * Steps only the wall clock, like an administrator, NTP, or a machine that was suspended.
     *
     * @param step the distance, in whole milliseconds; negative is back
     */
    public void stepWall(Duration step) {
        steppedMillis.addAndGet(step.toMillis());
    }

    @Override
    public Timeout schedule(Runnable task, long delayNanos) {
        lock.lock();
        try {
            Task scheduled = new Task(passed + Math.max(0, delayNanos), tickets++, task);
            if (!closed) {
                tasks.add(scheduled);
            }
            return scheduled;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the due time of the earliest task, on the scale of {@link #nanoTime}; empty if no task is scheduled. */
    public OptionalLong nextTaskAt() {
        lock.lock();
        try {
            dropCancelled();
            Task first = tasks.peek();
            return first == null ? OptionalLong.empty() : OptionalLong.of(nanoOrigin + first.due);
        } finally {
            lock.unlock();
        }
    }

    /** Discards all tasks. Tasks scheduled later never run. The clocks remain usable. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            tasks.clear();
        } finally {
            lock.unlock();
        }
    }
}
