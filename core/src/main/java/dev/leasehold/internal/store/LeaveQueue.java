package dev.leasehold.internal.store;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.LockKey;
import org.jspecify.annotations.Nullable;

/**
 * Gives up a position in the queue of a lock.
 *
 * @param waiter its position; with a taker the one that stays, 0 if none
 * @param taker the acquisition without an answer whose other position is given up; null to give up that of the waiter
 */
public record LeaveQueue(
        LockKey key, Waiter waiter, @Nullable AcquisitionId taker, long timeoutNanos)
        implements LockRequest<LeaveQueue.Answer> {

    /** The outcomes, as the protocol names them. */
    public enum Code {
        LEFT,
        GONE,
        FOREIGN
    }

    /** The answer. What does not belong to the code is empty. */
    public record Answer(Code code, ServerTime now, String detail) implements StoreAnswer {}
}
