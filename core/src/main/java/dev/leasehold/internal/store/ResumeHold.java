package dev.leasehold.internal.store;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;

/** Takes an exported hold over from its holder. */
public record ResumeHold(
        LockKey key,
        AcquisitionId id,
        Former former,
        OwnerKey owner,
        LeaseSpan lease,
        ServerTime notAfter,
        TokenFloor floor,
        Holder holder,
        long timeoutNanos)
        implements LockRequest<ResumeHold.Answer> {

    /**
     * The hold that is taken over.
     *
     * @param id under which Redis knows it
     * @param copiesUntil until when a late copy of its acquire must be refused
     */
    public record Former(AcquisitionId id, ServerTime copiesUntil) {}

    /** The outcomes, as the protocol names them. */
    public enum Code {
        GRANTED,
        SEVERAL,
        GONE,
        STALE,
        ENDED,
        CLOCK,
        EXHAUSTED,
        FOREIGN
    }

    /** The answer. What does not belong to the code is zero or empty. */
    public record Answer(Code code, ServerTime now, long leftNanos, long token, String detail) implements StoreAnswer {}

    @Override
    public boolean grants(Answer answer) {
        return answer.code() == Code.GRANTED;
    }
}
