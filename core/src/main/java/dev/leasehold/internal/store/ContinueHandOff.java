package dev.leasehold.internal.store;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.LockKey;

/**
 * Asks whether a process may hand off a lock to its own waiters again, and renews the hold for that.
 *
 * @param position the position of the process in the queue; 0 if it has none
 * @param tokens how many fencing tokens to reserve
 */
public record ContinueHandOff(
        LockKey key, AcquisitionId id, LeaseSpan lease, long position, int tokens, long timeoutNanos)
        implements LockRequest<ContinueHandOff.Answer> {

    /** The outcomes, as the protocol names them. */
    public enum Code {
        GOING,
        WANTED,
        /** Only to {@link Retain}. */
        SPENT,
        ENDED,
        GONE,
        FOREIGN
    }

    /** The answer. What does not belong to the code is zero or empty. */
    public record Answer(Code code, ServerTime now, long leftNanos, long token, long lastToken, String detail)
            implements StoreAnswer {}

    /**
     * Asks whether a process may retain a hold that it does not use, and shortens it for that; or retain it for longer.
     *
     * @param lease how long the hold shall last
     * @param lastToken the last token of the hold
     * @param channel where the process is asked to release the lock
     * @param again whether the hold is retained already, so that its end must not be lowered
     */
    public record Retain(
            LockKey key,
            AcquisitionId id,
            LeaseSpan lease,
            long lastToken,
            String channel,
            boolean again,
            long timeoutNanos)
            implements LockRequest<Answer> {}
}
