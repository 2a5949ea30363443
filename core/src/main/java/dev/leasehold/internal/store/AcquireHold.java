package dev.leasehold.internal.store;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;

/**
 * Acquires a lock in any state, for a new hold or for one that an earlier request with this id got.
 *
 * @param notAfter the last moment at which the request may be granted
 * @param floor a granted token is higher
 * @param waiter the position of the caller in the queue, if it waits
 */
public record AcquireHold(
        LockKey key,
        AcquisitionId id,
        OwnerKey owner,
        LeaseSpan lease,
        ServerTime notAfter,
        TokenFloor floor,
        Holder holder,
        Waiter waiter,
        long timeoutNanos)
        implements LockRequest<AcquireHold.Answer> {

    /** The rank of a waiter that is neither the head of the queue, 0, nor the next, 1. */
    public static final int FURTHER = 2;

    /** The outcomes, as the protocol names them. */
    public enum Code {
        GRANTED,
        BUSY,
        STALE,
        ENDED,
        CLOCK,
        EXHAUSTED,
        PERMITS,
        FOREIGN,
        UNDECIDED
    }

    /**
     * The answer. What does not belong to the code is zero, empty or false.
     *
     * @param polls whether wake-ups do not reach waiters of this lock, because Redis refuses to publish them or another library sends none
     * @param pauseNanos the shortest pause before another try, however short the caller's interval is
     */
    public record Answer(
            Code code,
            ServerTime now,
            long leftNanos,
            long token,
            long lastToken,
            String found,
            long position,
            int rank,
            boolean polls,
            long pauseNanos)
            implements StoreAnswer {

        /** Creates an answer without a position in the queue, and with one token. */
        public Answer(Code code, ServerTime now, long leftNanos, long token, String found) {
            this(code, now, leftNanos, token, token, found, 0, FURTHER, false, 0);
        }
    }

    @Override
    public boolean grants(Answer answer) {
        return answer.code() == Code.GRANTED;
    }
}
