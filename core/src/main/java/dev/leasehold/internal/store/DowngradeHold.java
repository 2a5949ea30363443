package dev.leasehold.internal.store;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.LockKey;

/** Makes a writer's hold a reader's. */
public record DowngradeHold(LockKey key, AcquisitionId id, long timeoutNanos)
        implements LockRequest<DowngradeHold.Answer> {

    /** The outcomes, as the protocol names them. */
    public enum Code {
        SHARED,
        ENDED,
        GONE,
        EXHAUSTED,
        FOREIGN
    }

    /** The answer. What does not belong to the code is zero or empty. */
    public record Answer(Code code, ServerTime now, long leftNanos, long token, String detail) implements StoreAnswer {}
}
