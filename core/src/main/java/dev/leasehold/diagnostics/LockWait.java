package dev.leasehold.diagnostics;

import dev.leasehold.inspect.WaiterInfo;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An edge of the wait graph: somebody waits for a lock, and these have it.
 *
 * @param lock the name of the lock
 * @param wants what it waits for
 * @param waiter who waits
 * @param since when the wait began, by the clock of the waiter's process, or of Redis if that did not tell; null if neither knows
 * @param holders who has the lock; empty if it was free at that moment
 */
public record LockWait(
        String lock,
        WaiterInfo.Wants wants,
        LockParty waiter,
        @Nullable Instant since,
        List<LockParty> holders) {

    /** Keeps its own copy. */
    public LockWait {
        holders = List.copyOf(holders);
    }
}
