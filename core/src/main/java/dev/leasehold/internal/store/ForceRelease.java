package dev.leasehold.internal.store;

import dev.leasehold.internal.key.LockKey;

/** Takes a lock away from its holders and raises the last token. */
public record ForceRelease(LockKey key, long timeoutNanos) implements LockRequest<ForceRelease.Answer> {

    /** The outcomes, as the protocol names them. */
    public enum Code {
        FREED,
        FREE,
        FOREIGN
    }

    /** The answer. */
    public record Answer(Code code, ServerTime now, String detail) implements StoreAnswer {}
}
