package dev.leasehold.internal.store;

import dev.leasehold.internal.key.LockKey;

/** Asks the holder of a lock to release it. */
public record RequestRelease(LockKey key, ServerTime notAfter, long timeoutNanos)
        implements LockRequest<RequestRelease.Answer> {

    /** The outcomes, as the protocol names them. */
    public enum Code {
        REQUESTED,
        FREE,
        STALE,
        FOREIGN
    }

    /** The answer. */
    public record Answer(Code code, ServerTime now, String detail) implements StoreAnswer {}
}
