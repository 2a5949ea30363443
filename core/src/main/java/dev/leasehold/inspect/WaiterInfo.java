package dev.leasehold.inspect;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A position in the queue of a lock, as Redis saw it at one moment. A client has one position for all its callers that wait for
 * the lock, and tells of the first of them; in a fair queue each caller has its own. Callers that only poll, without
 * wake-ups, have no position.
 *
 * @param position its position in the queue; 1 is the next to have the lock
 * @param wants what it waits for
 * @param permits the number of permits it waits for; 0 for a lock
 * @param owner the named owner, its hash if the name is longer than 44 bytes; null if the caller named none
 * @param host the host name of its process; empty if its client does not tell
 * @param pid the process id; 0 if its client does not tell
 * @param thread the name of the thread that waits, or that began to wait; empty if its client does not tell
 * @param since when it took its position, by the clock of Redis; null if its client does not tell
 * @param alive whether its client has polled within the last 7 s; a dead waiter loses its position once it is the first
 */
public record WaiterInfo(
        int position,
        Wants wants,
        int permits,
        @Nullable String owner,
        String host,
        long pid,
        String thread,
        @Nullable Instant since,
        boolean alive) {

    /** What a caller waits for. */
    public enum Wants {
        /** The lock, which it shares with nobody. */
        LOCK,
        /** The lock to read, which it shares with other readers. */
        READ,
        /** Permits of a semaphore. */
        PERMITS
    }
}
