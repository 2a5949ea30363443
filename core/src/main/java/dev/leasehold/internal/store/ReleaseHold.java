package dev.leasehold.internal.store;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.LockKey;

/**
 * Removes one hold.
 *
 * @param longest at least the length of the hold
 * @param lean whether {@link AcquireFreeLock} got the hold, without a label
 * @param notAfter until when a copy of its acquire must be refused
 */
public record ReleaseHold(
        LockKey key, AcquisitionId id, LeaseSpan longest, boolean lean, ServerTime notAfter, long timeoutNanos)
        implements LockRequest<ReleaseHold.Answer> {

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
