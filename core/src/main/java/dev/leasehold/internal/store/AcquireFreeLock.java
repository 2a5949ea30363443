package dev.leasehold.internal.store;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.LockKey;

/**
 * Acquires a lock that is free, for an acquisition that was not sent before and is its own owner. After the answer {@link
 * AcquireHold.Code#UNDECIDED}, only {@link AcquireHold} can decide.
 */
public record AcquireFreeLock(
        LockKey key,
        AcquisitionId id,
        LeaseSpan lease,
        ServerTime notAfter,
        TokenFloor floor,
        Holder holder,
        long timeoutNanos)
        implements LockRequest<AcquireHold.Answer> {

    @Override
    public boolean grants(AcquireHold.Answer answer) {
        return answer.code() == AcquireHold.Code.GRANTED;
    }
}
