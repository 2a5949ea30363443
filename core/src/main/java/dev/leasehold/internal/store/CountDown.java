package dev.leasehold.internal.store;

import dev.leasehold.internal.key.CountDownId;
import dev.leasehold.internal.key.LatchKey;
import dev.leasehold.internal.key.LockKey;

/** Counts a latch down, once for each id. */
public record CountDown(LatchKey latch, CountDownId id, ServerTime notAfter, long timeoutNanos)
        implements LockRequest<CountDown.Answer> {

    @Override
    public LockKey key() {
        return latch.key();
    }

    /** The outcomes, as the protocol names them. */
    public enum Code {
        COUNTED,
        OVER,
        NONE,
        STALE,
        FOREIGN
    }

    /** The answer. What does not belong to the code is 0 or empty. */
    public record Answer(Code code, ServerTime now, int count, String found) implements StoreAnswer {}
}
