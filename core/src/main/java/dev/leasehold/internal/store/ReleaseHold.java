package dev.leasehold.internal.store;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.LockKey;
import org.jspecify.annotations.Nullable;

/**
 * Removes one hold.
 *
 * @param longest at least the length of the hold
 * @param lean whether {@link AcquireFreeLock} got the hold, without a label
 * @param notAfter until when a copy of its acquire must be refused
 * @param tokens those of a hold that was retained; null if it was not
 */
public record ReleaseHold(
        LockKey key,
        AcquisitionId id,
        LeaseSpan longest,
        boolean lean,
        ServerTime notAfter,
        @Nullable Tokens tokens,
        long timeoutNanos)
        implements LockRequest<ReleaseHold.Answer> {

    /** The request for a hold that was not retained. */
    public ReleaseHold(
            LockKey key, AcquisitionId id, LeaseSpan longest, boolean lean, ServerTime notAfter, long timeoutNanos) {
        this(key, id, longest, lean, notAfter, null, timeoutNanos);
    }

    /**
     * The tokens of a retained hold. Those that were not used are given back.
     *
     * @param used the last that was given out
     * @param last the last of the hold, as its client knows it: of another hold none is given back
     */
    public record Tokens(long used, long last) {}

    /** The outcomes, as the protocol names them. */
    public enum Code {
        RELEASED,
        ENDED,
        GONE,
        FOREIGN
    }

    /** The answer. What does not belong to the code is empty. */
    public record Answer(Code code, ServerTime now, String detail) implements StoreAnswer {}
}
