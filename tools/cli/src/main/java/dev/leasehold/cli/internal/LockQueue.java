package dev.leasehold.cli.internal;

import dev.leasehold.inspect.LockInfo;
import dev.leasehold.inspect.WaiterInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A summary of the queue of a lock. Dead waiters, which lose their position when they are next, do not count.
 *
 * @param waiters the number of waiters that are alive
 * @param since when the first of them began to wait; null if there is none, or if no client reports it
 */
public record LockQueue(int waiters, @Nullable Instant since) {

    /**
     * Summarizes the queue of a lock.
     *
     * @param lock the lock
     * @return the summary
     */
    public static LockQueue of(LockInfo lock) {
        List<WaiterInfo> alive =
                lock.waiters().stream().filter(WaiterInfo::alive).toList();
        Instant since = alive.stream()
                .map(WaiterInfo::since)
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(null);
        return new LockQueue(alive.size(), since);
    }

    /**
     * Returns the longest wait. The clocks of Redis and of this machine may differ, so a wait is at least zero.
     *
     * @param now the time of this machine
     * @return the time since the first waiter began to wait; null if it is unknown
     */
    public @Nullable Duration longestWait(Instant now) {
        return elapsed(since, now);
    }

    /**
     * Returns the time since a moment that Redis recorded, at least zero.
     *
     * @param since a time by the clock of Redis, or null
     * @param now the time of this machine
     * @return the elapsed time, or null
     */
    public static @Nullable Duration elapsed(@Nullable Instant since, Instant now) {
        if (since == null) {
            return null;
        }
        Duration elapsed = Duration.between(since, now);
        return elapsed.isNegative() ? Duration.ZERO : elapsed;
    }
}
