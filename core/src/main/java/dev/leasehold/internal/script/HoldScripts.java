package dev.leasehold.internal.script;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.spi.ScriptCall;
import java.util.List;

/**
 * The scripts by which the holds of one kind of lock are taken, kept and given back. The kinds answer in the same words,
 * though some never say all of them.
 */
public interface HoldScripts {

    /** Answered as {@link AcquireScript#parse} reads it. What the kind has no room for is left out. */
    ScriptCall acquire(
            LockKey key,
            AcquisitionId id,
            OwnerKey owner,
            LeaseSpan lease,
            ServerTime notAfter,
            TokenFloor floor,
            Holder holder,
            Waiter waiter,
            long timeoutNanos);

    /** Answered as {@link RenewScript#parse} reads it. */
    ScriptCall renew(LockKey key, AcquisitionId id, LeaseSpan lease, long timeoutNanos);

    /** Answered as {@link RenewManyScript#parse} reads it. */
    ScriptCall renewMany(LeaseSpan lease, List<RenewManyScript.Entry> entries, long timeoutNanos);

    /** Answered as {@link ReleaseScript#parse} reads it. */
    ScriptCall release(
            LockKey key, AcquisitionId id, LeaseSpan longest, boolean lean, ServerTime notAfter, long timeoutNanos);

    /** Answered as {@link ForceReleaseScript#parse} reads it. */
    ScriptCall forceRelease(LockKey key, long timeoutNanos);
}
