package dev.leasehold.inspect;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The holder of a lock, as Redis saw it at one moment. If one named owner has several holds, host, pid, thread, since
 * and label are those of the oldest hold. The same applies to readers and to holders of permits, each of which is its
 * own owner; readers of one process share one hold.
 *
 * <p>A process hands off a lock to its own waiters without a request to Redis. While it may do so ({@code handsOff}),
 * owner, thread, since and label are those of the first lease of the series of hand-offs, and the token is the first of
 * the tokens reserved for it. Only the process itself knows which of its callers holds the lock at the moment.
 *
 * <p>If another library holds a plain lock, only the value under its key is known; its first characters are reported as
 * the owner.
 *
 * @param name the lock
 * @param owner the named owner, its hash if the name is longer than 44 bytes, or the first characters of the acquisition id
 * @param ownerNamed whether the owner was named by the caller
 * @param host the host name of the holder's process; empty if another library holds a plain lock
 * @param pid the process id of the holder; 0 if another library holds a plain lock
 * @param thread the name of the thread that acquired; empty if another library holds a plain lock
 * @param since the time when the hold began, by the clock of Redis; null if another library holds a plain lock
 * @param left how long until the last hold ends, without another renewal; a day for a plain lock whose key never expires
 * @param fencingToken the token of the holders; 0 for permits, and for a lock whose format has no tokens
 * @param count the number of live holds
 * @param label the label given with the options, or null
 * @param handsOff whether the holder's process may hand off the lock to its own waiters
 * @param retained whether the holder's client retains the lock between two uses ({@code LockOptions.retainFor}): then nobody may use it
 *     at the moment, and the client releases it when another client asks for it; only that client knows whether it is in use
 * @param shared whether the holders are readers, which share the lock
 * @param permitsHeld the number of permits that the holders have; 0 for a lock
 * @param permits the number of permits of the semaphore; 0 for a lock
 * @param waiters the queue of the lock, the next one first; empty for a plain lock, which has no queue
 * @param problem what is missing here, for people, with control characters escaped: entries in Redis that cannot be read, because
 *     another program wrote them, or more entries than an inspection reads; null if everything was read
 */
public record LockInfo(
        String name,
        String owner,
        boolean ownerNamed,
        String host,
        long pid,
        String thread,
        @Nullable Instant since,
        Duration left,
        long fencingToken,
        int count,
        @Nullable String label,
        boolean handsOff,
        boolean retained,
        boolean shared,
        int permitsHeld,
        int permits,
        List<WaiterInfo> waiters,
        @Nullable String problem) {

    /** Keeps its own copy of the queue. */
    public LockInfo {
        waiters = List.copyOf(waiters);
    }
}
