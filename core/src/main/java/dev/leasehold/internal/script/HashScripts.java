package dev.leasehold.internal.script;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.spi.ScriptCall;
import java.util.List;

/** Those of the locks that are hashes of our own layout. */
public final class HashScripts implements HoldScripts {

    private final AcquireScript acquire;
    private final RenewScript renew;
    private final RenewManyScript renewMany;
    private final ReleaseScript release;
    private final ForceReleaseScript forceRelease;

    /**
     * Binds what is the same for all calls of a client.
     *
     * @param countsReceivers whether a message that Redis delivered to no subscriber was received by none
     */
    public HashScripts(Retention retention, boolean countsReceivers) {
        this.acquire = new AcquireScript(retention);
        this.renew = new RenewScript(retention);
        this.renewMany = new RenewManyScript(retention);
        this.release = new ReleaseScript(retention, countsReceivers);
        this.forceRelease = new ForceReleaseScript(retention, countsReceivers);
    }

    @Override
    public ScriptCall acquire(
            LockKey key,
            AcquisitionId id,
            OwnerKey owner,
            LeaseSpan lease,
            ServerTime notAfter,
            TokenFloor floor,
            Holder holder,
            Waiter waiter,
            long timeoutNanos) {
        return acquire.call(key, id, owner, lease, notAfter, floor, holder, waiter, timeoutNanos);
    }

    @Override
    public ScriptCall renew(LockKey key, AcquisitionId id, LeaseSpan lease, long timeoutNanos) {
        return renew.call(key, id, lease, timeoutNanos);
    }

    @Override
    public ScriptCall renewMany(LeaseSpan lease, List<RenewManyScript.Entry> entries, long timeoutNanos) {
        return renewMany.call(lease, entries, timeoutNanos);
    }

    @Override
    public ScriptCall release(
            LockKey key, AcquisitionId id, LeaseSpan longest, boolean lean, ServerTime notAfter, long timeoutNanos) {
        return release.call(key, id, longest, lean, notAfter, timeoutNanos);
    }

    @Override
    public ScriptCall forceRelease(LockKey key, long timeoutNanos) {
        return forceRelease.call(key, timeoutNanos);
    }
}
