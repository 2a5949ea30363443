package dev.leasehold.internal.store;

import dev.leasehold.internal.key.LockKey;

/**
 * Takes a lock away from its holders and raises the last token.
 *
 * @param token the token of the holders from whom it is taken away; 0 for whichever
 * @param notAfter the time of the server after which it must not be taken away
 */
public record ForceRelease(LockKey key, long token, ServerTime notAfter, long timeoutNanos)
        implements LockRequest<ForceRelease.Answer> {

    /** The outcomes, as the protocol names them. */
    public enum Code {
        FREED,
        FREE,
        OTHER,
        STALE,
        FOREIGN
    }

    /** The answer. */
    public record Answer(Code code, ServerTime now, String detail) implements StoreAnswer {}
}
