package dev.leasehold.internal.store;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.LockKey;
import org.jspecify.annotations.Nullable;

/**
 * Gives up a position in the queue of a lock.
 *
 * @param waiter with position 0 if that is not known
 * @param taker then the acquisition that may have taken it; else null
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
