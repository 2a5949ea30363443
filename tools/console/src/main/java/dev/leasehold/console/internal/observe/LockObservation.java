package dev.leasehold.console.internal.observe;

import dev.leasehold.LeaseholdException;
import dev.leasehold.inspect.Inspector;
import dev.leasehold.inspect.LockInfo;
import dev.leasehold.spi.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** The held locks, read once for all browsers while at least one watches. Safe for use by several threads. */
public final class LockObservation extends PolledObservation {

    /** The oldest hold first; other libraries do not tell when theirs began. */
    private static final Comparator<LockInfo> BY_AGE = Comparator.comparing(
                    LockInfo::since, Comparator.nullsLast(Comparator.<Instant>naturalOrder()))
            .thenComparing(LockInfo::name);

    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);

    /** After a longer pause than this many intervals, nothing is known about the time between. */
    private static final int GAP = 3;

    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Inspector inspector;
    private final ReentrantLock lock = new ReentrantLock();
    private final Histories histories = new Histories();
    private Snapshot snapshot = Snapshot.NONE;

    public LockObservation(Inspector inspector, TimeSource time) {
        super("leasehold-console-locks", time);
        this.inspector = inspector;
    }

    @Override
    Duration refresh() {
        long start = time.nanoTime();
        try {
            Set<String> unreachable = new TreeSet<>();
            List<LockInfo> locks = new ArrayList<>(inspector.locks(unreachable::add));
            locks.sort(BY_AGE);
            return recorded(locks, unreachable, start);
        } catch (LeaseholdException | UnsupportedOperationException | IllegalStateException e) {
            // The last: the application has closed its client.
            failed(String.valueOf(e.getMessage()));
            return RETRY;
        }
    }

    private Duration recorded(List<LockInfo> locks, Set<String> unreachable, long start) {
        long now = time.nanoTime();
        int commands = RefreshPace.commands(locks.size());
        Duration interval = RefreshPace.interval(commands, Duration.ofNanos(now - start));
        lock.lock();
        try {
            Moment moment = new Moment(now, time.wallMillis(), secondsSince(snapshot, now));
            snapshot = new Snapshot(
                    Snapshot.Status.LIVE,
                    histories.record(locks, moment),
                    Set.copyOf(unreachable),
                    "",
                    now,
                    moment.wallMillis(),
                    commands,
                    interval.toMillis());
        } finally {
            lock.unlock();
        }
        Duration pause = interval.minusNanos(now - start);
        return pause.compareTo(SHORTEST_PAUSE) < 0 ? SHORTEST_PAUSE : pause;
    }

    private static double secondsSince(Snapshot last, long now) {
        long nanos = now - last.nanos();
        boolean gap = last.wallMillis() == 0 || nanos > GAP * TimeUnit.MILLISECONDS.toNanos(last.intervalMillis());
        return gap ? 0 : nanos / NANOS;
    }

    private void failed(String why) {
        lock.lock();
        try {
            snapshot = snapshot.gone(why);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the last state. */
    public Snapshot snapshot() {
        lock.lock();
        try {
            return snapshot;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the tenures of a lock that refreshes saw, the newest first. */
    public List<Tenure> tenures(String name) {
        lock.lock();
        try {
            return histories.tenures(name);
        } finally {
            lock.unlock();
        }
    }

    /** Returns how busy each name was that refreshes saw held, in no order. */
    public List<Heat> heat() {
        lock.lock();
        try {
            return histories.heat(new Moment(snapshot.nanos(), snapshot.wallMillis(), 0));
        } finally {
            lock.unlock();
        }
    }
}
