package dev.leasehold.internal.store;

import dev.leasehold.internal.key.LockKey;

/** Gives up a position in the queue of a lock. */
public record LeaveQueue(LockKey key, Waiter waiter, long timeoutNanos) implements LockRequest<LeaveQueue.Answer> {

    /** The outcomes, as the protocol names them. */
    public enum Code {
        LEFT,
        GONE,
        FOREIGN
    }

    /** The answer. What does not belong to the code is empty. */
    public record Answer(Code code, ServerTime now, String detail) implements StoreAnswer {}
}
