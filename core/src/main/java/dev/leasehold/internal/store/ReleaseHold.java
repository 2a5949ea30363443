package dev.leasehold.internal.store;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.LockKey;

/**
 * Removes one hold.
 *
 * @param longest at least the length of the hold
 * @param lean whether {@link AcquireFreeLock} got the hold, without a label
 * @param used the last token that was given out of a retained hold, to which those after it are returned; 0 if it was not retained
 * @param notAfter until when a copy of its acquire must be refused
 */
public record ReleaseHold(
        LockKey key,
        AcquisitionId id,
        LeaseSpan longest,
        boolean lean,
        ServerTime notAfter,
        long used,
        long timeoutNanos)
        implements LockRequest<ReleaseHold.Answer> {

    /** The request for a hold that was not retained. */
    public ReleaseHold(
            LockKey key, AcquisitionId id, LeaseSpan longest, boolean lean, ServerTime notAfter, long timeoutNanos) {
        this(key, id, longest, lean, notAfter, 0, timeoutNanos);
    }

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
