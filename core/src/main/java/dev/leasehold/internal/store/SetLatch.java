package dev.leasehold.internal.store;

import dev.leasehold.internal.key.CountDownId;
import dev.leasehold.internal.key.LatchKey;
import dev.leasehold.internal.key.LockKey;

/** Sets the count of a latch that does not exist, or of a round that follows a reached one. */
public record SetLatch(
        LatchKey latch, CountDownId id, int count, LeaseSpan expiry, ServerTime notAfter, long timeoutNanos)
        implements LockRequest<SetLatch.Answer> {

    @Override
    public LockKey key() {
        return latch.key();
    }

    /** The outcomes, as the protocol names them. */
    public enum Code {
        SET,
        THERE,
        STALE,
        FOREIGN
    }

    /** The answer. What does not belong to the code is empty. */
    public record Answer(Code code, ServerTime now, String found) implements StoreAnswer {}
}
