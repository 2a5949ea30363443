package dev.leasehold.internal.lease;

import dev.leasehold.internal.key.LockKind;
import java.time.Duration;

/** How long the hold of a lease stays in Redis at least, whenever its holder releases it. */
public final class MinimumHold {

    private MinimumHold() {}

    /**
     * Returns the rest of the minimum in ns; 0 or less if the hold may end, or if no caller received the lease. It counts from the
     * moment before the request was sent that Redis granted.
     */
    public static long rest(LeaseRecord record, long now) {
        Duration least = record.options().minHold();
        return least == null || !wasReceived(record) ? 0 : least.toNanos() - (now - record.grantedAt());
    }

    /** Returns whether a caller has received the hold: a reader has a minimum only from the writer that it was. */
    private static boolean wasReceived(LeaseRecord record) {
        return record.wasReportedHeld() || record.key().kind() == LockKind.READ;
    }
}
