package dev.leasehold.internal.store;

import dev.leasehold.internal.key.LockKey;

/** Reads a latch; a waiter with a channel is registered for its wake-up. */
public record ReadLatch(LockKey key, Waiter waiter, long timeoutNanos) implements LockRequest<ReadLatch.Answer> {

    /** The outcomes, as the protocol names them. */
    public enum Code {
        REACHED,
        COUNTING,
        NONE,
        FOREIGN
    }

    /** The answer. What does not belong to the code is 0 or empty. */
    public record Answer(Code code, ServerTime now, long leftNanos, int count, long position, String found)
            implements StoreAnswer {}
}
