package dev.leasehold.internal.store;

import dev.leasehold.internal.key.LockKey;

/** Changes how many permits a semaphore has. */
public record ChangePermits(LockKey key, int total, ServerTime notAfter, long timeoutNanos)
        implements LockRequest<ChangePermits.Answer> {

    /** The outcomes, as the protocol names them. */
    public enum Code {
        CHANGED,
        STALE,
        FOREIGN
    }

    /** The answer. What does not belong to the code is zero or empty. */
    public record Answer(Code code, ServerTime now, int before, String found) implements StoreAnswer {}
}
