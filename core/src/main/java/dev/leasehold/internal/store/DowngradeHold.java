package dev.leasehold.internal.store;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.LockKey;

/**
 * Makes a writer's hold a reader's.
 *
 * @param floor the highest token that this client knows of the name
 * @param given the token of readers to whom the hold was handed off already; 0 if there are none
 */
public record DowngradeHold(LockKey key, AcquisitionId id, TokenFloor floor, long given, long timeoutNanos)
        implements LockRequest<DowngradeHold.Answer> {

    /** The outcomes, as the protocol names them. */
    public enum Code {
        SHARED,
        ENDED,
        GONE,
        CLOCK,
        EXHAUSTED,
        FOREIGN
    }

    /** The answer. What does not belong to the code is zero or empty. */
    public record Answer(Code code, ServerTime now, long leftNanos, long token, String detail) implements StoreAnswer {}
}
