package dev.leasehold.internal.lease;

import dev.leasehold.LockOptions;
import dev.leasehold.internal.script.ServerTime;

/**
 * The lock, handed from one lease to the next of the same process. The next has no more validity than the hold in Redis
 * has, whatever it asked for.
 *
 * @param tenure the hold in Redis
 * @param token the fencing token of the next lease
 * @param at when it was handed on, on the monotonic clock
 * @param end of the hold
 * @param validUntil the deadline, as of {@code surplusBase}
 * @param surplusBase the sum by which the clocks had disagreed when the hold was confirmed
 * @param copiesUntil until when a second copy of the acquire of the hold could be granted
 */
public record LocalGrant(
        ProcessHold tenure, long token, long at, long end, long validUntil, long surplusBase, ServerTime copiesUntil) {

    /**
     * Whether it is beyond doubt, and enough is left of the hold for a lease with these options: nearly all of what it asks
     * for, or half if it will be renewed.
     */
    public boolean covers(LockOptions options, long now, long surplus) {
        long lease = options.leaseTime().toNanos();
        long least = options.renewal().times() > 0 ? lease / 2 : lease;
        long disagreed = surplus - surplusBase;
        return !tenure.denied() && disagreed <= Validity.drift(lease) && validUntil - disagreed - now >= least;
    }

    /** The same, for those who share it. */
    public LocalGrant under(ProcessHold reading) {
        return new LocalGrant(reading, token, at, end, validUntil, surplusBase, copiesUntil);
    }

    /** The same, under another token. */
    public LocalGrant next() {
        return new LocalGrant(tenure, token + 1, at, end, validUntil, surplusBase, copiesUntil);
    }

    /** The same, taken up at a later moment. */
    public LocalGrant takenAt(long now) {
        return new LocalGrant(tenure, token, now, end, validUntil, surplusBase, copiesUntil);
    }
}
