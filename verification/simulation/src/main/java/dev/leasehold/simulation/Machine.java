package dev.leasehold.simulation;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.Timer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * The machine and process of one client: its clocks, its timer, its threads. While it is paused only its clocks
 * run; tasks that become due run afterwards, in order. While it is suspended its monotonic clock pauses as well.
 */
final class Machine implements TimeSource, Timer, Executor {

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long PER_MILLION = 1_000_000;

    /** A thread may be scheduled with a delay. */
    private static final long MAX_SCHEDULING_NANOS = 200_000;

    private final World world;
    private final RandomGenerator random;
    private final long ppm;
    private final boolean exact;
    private final Queue<Runnable> backlog = new ArrayDeque<>();
    private long anchorTrue;
    private long anchorMono;
    private long wallOffsetMillis;
    private int stops;
    private boolean suspended;
    private boolean dead;
    private boolean draining;

    /**
     * Begins at the present.
     *
     * @param ppm by how many millionths the monotonic clock is too fast
     * @param exact whether timers end on time; otherwise they are late by up to twice that part of their time
     */
    Machine(World world, RandomGenerator random, long monoAtStart, long wallAtStart, long ppm, boolean exact) {
        this.world = world;
        this.random = random;
        this.anchorTrue = world.now();
        this.anchorMono = monoAtStart;
        this.wallOffsetMillis = wallAtStart;
        this.ppm = ppm;
        this.exact = exact;
    }

    /** A simulated thread does not wait: a call that would wait fails, as one to which Redis does not answer. */
    @Override
    public void pause(long nanos) {
        throw new LockUnavailableException("a lock", true, "a simulated thread does not wait", null);
    }

    @Override
    public long nanoTime() {
        if (suspended) {
            return anchorMono;
        }
        long passed = world.now() - anchorTrue;
        return anchorMono + passed + passed / PER_MILLION * ppm;
    }

    @Override
    public long wallMillis() {
        return world.now() / NANOS_PER_MILLI + wallOffsetMillis;
    }

    /** Converts a span of the monotonic clock to true time, a little too short rather than too long. */
    long trueSpan(long monoNanos) {
        return monoNanos - monoNanos / PER_MILLION * ppm - (ppm == 0 ? 0 : 2000);
    }

    /** Returns how long a timer waits that is set to a moment of the monotonic clock; never 0 if that is ahead. */
    private long timerWait(long due) {
        long left = Math.max(0, due - nanoTime());
        return exact
                ? (long) Math.ceil(left * ((double) PER_MILLION / (PER_MILLION + ppm)))
                : left + Math.abs(left / PER_MILLION * ppm);
    }

    void stepWall(long millis) {
        wallOffsetMillis += millis;
    }

    /** Runs a task on this machine, now or as soon as it runs again. */
    void deliver(Runnable task) {
        if (dead) {
            return;
        }
        if (stops > 0 || draining) {
            backlog.add(task);
        } else {
            task.run();
        }
    }

    /** Runs a task on one of its threads, soon. */
    @Override
    public void execute(Runnable task) {
        long delay = random.nextInt(4) == 0 ? random.nextLong(MAX_SCHEDULING_NANOS) : 0;
        world.after(delay, () -> deliver(task));
    }

    @Override
    public Timeout schedule(Runnable task, long delayNanos) {
        Pending pending = new Pending(task, nanoTime() + Math.max(0, delayNanos));
        pending.arm();
        return pending;
    }

    /** One task of the timer. */
    private final class Pending implements Timeout {
        private final Runnable task;
        private final long due;
        private boolean cancelled;

        Pending(Runnable task, long due) {
            this.task = task;
            this.due = due;
        }

        void arm() {
            world.after(timerWait(due), () -> {
                if (!cancelled) {
                    deliver(this::fire);
                }
            });
        }

        private void fire() {
            if (cancelled) {
                return;
            }
            if (due - nanoTime() > 0) {
                // The machine was suspended meanwhile, or the wait was rounded.
                arm();
                return;
            }
            task.run();
        }

        @Override
        public void cancel() {
            cancelled = true;
        }
    }

    boolean running() {
        return !dead && stops == 0;
    }

    boolean dead() {
        return dead;
    }

    void crash() {
        dead = true;
        backlog.clear();
    }

    /** Stops the process; returns the action that resumes it. */
    void standStill(long nanos) {
        stops++;
        world.after(nanos, this::go);
    }

    /** Stops the whole machine with its monotonic clock; false if it is suspended already. */
    boolean suspend(long nanos) {
        if (suspended) {
            return false;
        }
        anchorMono = nanoTime();
        suspended = true;
        stops++;
        world.after(nanos, () -> {
            suspended = false;
            anchorTrue = world.now();
            go();
        });
        return true;
    }

    private void go() {
        stops--;
        if (stops > 0 || draining) {
            return;
        }
        draining = true;
        while (!dead && stops == 0 && !backlog.isEmpty()) {
            backlog.remove().run();
        }
        draining = false;
    }

    @Override
    public void close() {}
}
