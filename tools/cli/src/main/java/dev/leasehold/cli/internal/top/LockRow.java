package dev.leasehold.cli.internal.top;

import dev.leasehold.cli.internal.LockQueue;
import dev.leasehold.inspect.LockInfo;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One held lock, with the times that depend on the moment of the reading.
 *
 * @param lock the lock
 * @param age how long it has been held; null if another library holds it
 * @param waiters the number of waiters that are alive
 * @param longestWait the longest wait; null if there is none, or if no client reports it
 */
record LockRow(
        LockInfo lock,
        @Nullable Duration age,
        int waiters,
        @Nullable Duration longestWait) {

    static LockRow of(LockInfo lock, Instant now) {
        LockQueue queue = LockQueue.of(lock);
        return new LockRow(lock, LockQueue.elapsed(lock.since(), now), queue.waiters(), queue.longestWait(now));
    }
}
