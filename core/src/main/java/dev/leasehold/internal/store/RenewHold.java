package dev.leasehold.internal.store;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.LockKey;

/** Makes a hold last at least so long from now, or only confirms it. */
public record RenewHold(LockKey key, AcquisitionId id, LeaseSpan lease, long timeoutNanos)
        implements LockRequest<RenewHold.Answer> {

    /** The outcomes, as the protocol names them. */
    public enum Code {
        RENEWED,
        ASKED,
        ENDED,
        GONE,
        FOREIGN
    }

    /** The answer. What does not belong to the code is zero or empty. */
    public record Answer(Code code, ServerTime now, long leftNanos, String detail) implements StoreAnswer {}

    @Override
    public boolean prolongs() {
        return true;
    }

    @Override
    public boolean grants(Answer answer) {
        return answer.code() == Code.RENEWED || answer.code() == Code.ASKED;
    }
}
