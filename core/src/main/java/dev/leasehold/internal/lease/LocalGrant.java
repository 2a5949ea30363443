package dev.leasehold.internal.lease;

import dev.leasehold.LockOptions;
import java.time.Duration;

/**
 * The hand-off of a lock from one lease to the next of the same process. Whatever lease time the next lease requests, it is not
 * valid for longer than the hold in Redis.
 *
 * @param hold the hold in Redis
 * @param token the fencing token of the next lease
 * @param at the moment of the hand-off, on the monotonic clock
 * @param end the end of the hold
 * @param validUntil the deadline, at {@code surplusAtConfirm}
 * @param surplusAtConfirm the surplus of the wall clock when the hold was last confirmed
 */
public record LocalGrant(ProcessHold hold, long token, long at, long end, long validUntil, long surplusAtConfirm) {

    /**
     * Returns whether the hold is not in doubt, and its remaining time is enough for a lease with these options: nearly all of
     * the lease time, or half of it for a lease that will be renewed.
     */
    public boolean covers(LockOptions options, long now, long surplus) {
        long lease = options.leaseTime().toNanos();
        long least = options.renewal().enabled() ? lease / 2 : lease;
        long disagreement = surplus - surplusAtConfirm;
        return !hold.denied()
                && disagreement <= Validity.drift(lease)
                && validUntil - disagreement - now >= least
                && coversMinimum(options, now);
    }

    /** Returns whether the hold outlasts the minimum of a lease with these options that begins now, also if the process stops. */
    public boolean coversMinimum(LockOptions options, long now) {
        Duration minimum = options.minHold();
        return minimum == null || end - now >= minimum.toNanos();
    }

    /** Returns the same grant for the readers that share this hold. */
    LocalGrant under(SharedReadHold readers) {
        return new LocalGrant(readers, token, at, end, validUntil, surplusAtConfirm);
    }

    /** Returns the same grant with the next token. */
    public LocalGrant next() {
        return new LocalGrant(hold, token + 1, at, end, validUntil, surplusAtConfirm);
    }

    /** Returns the same grant for a lease that begins at a later moment. */
    public LocalGrant takenAt(long now) {
        return new LocalGrant(hold, token, now, end, validUntil, surplusAtConfirm);
    }
}
