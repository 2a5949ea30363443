package dev.leasehold.internal.store;

import dev.leasehold.internal.key.LockKey;

/**
 * Takes a lock away from its holders and raises the last token.
 *
 * @param token the token of the holders from whom it is taken away; 0 for whichever
 * @param notAfter the time of the server after which it must not be taken away
 * @param cursor where to go on after an answer that so many holds were not removed at once; {@link #FIRST} at first
 */
public record ForceRelease(LockKey key, long token, ServerTime notAfter, String cursor, long timeoutNanos)
        implements LockRequest<ForceRelease.Answer> {

    /** The cursor of the first request. */
    public static final String FIRST = "0";

    /** Begins to take a lock away. */
    public ForceRelease(LockKey key, long token, ServerTime notAfter, long timeoutNanos) {
        this(key, token, notAfter, FIRST, timeoutNanos);
    }

    /** The outcomes, as the protocol names them. */
    public enum Code {
        FREED,
        MORE,
        FREE,
        OTHER,
        STALE,
        FOREIGN
    }

    /**
     * The answer.
     *
     * @param detail the cursor with which to go on, or what the key holds; else empty
     * @param removed the number of live holds that were removed
     */
    public record Answer(Code code, ServerTime now, String detail, long removed) implements StoreAnswer {

        @Override
        public boolean partial() {
            return code == Code.MORE;
        }
    }
}
