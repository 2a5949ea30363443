package dev.leasehold.internal.store;

import dev.leasehold.internal.key.LatchKey;
import dev.leasehold.internal.key.LockKey;

/** Reads a latch; a waiter with a channel is registered for its wake-up. */
public record ReadLatch(LatchKey latch, Waiter waiter, long timeoutNanos) implements LockRequest<ReadLatch.Answer> {

    @Override
    public LockKey key() {
        return latch.key();
    }

    /** The outcomes, as the protocol names them. */
    public enum Code {
        REACHED,
        COUNTING,
        NONE,
        FOREIGN
    }

    /** The answer. What does not belong to the code is 0 or empty, and the round is below 0 unless the latch has rounds and either kind was asked for. */
    public record Answer(Code code, ServerTime now, long leftNanos, int count, long position, String found, long round)
            implements StoreAnswer {}
}
