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
        ENDED,
        GONE,
        FOREIGN
    }

    /** The answer. What does not belong to the code is zero or empty. */
    public record Answer(Code code, ServerTime now, long leftNanos, long token, long lastToken, String detail)
            implements StoreAnswer {}
}
