package dev.leasehold.internal.latch;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.LatchKey;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.request.Drivers;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.wakeup.WakeListener;
import dev.leasehold.recipes.DistributedLatch;
import java.util.function.Supplier;

/**
 * The collaborators that all views of latches share.
 *
 * @param context whether the client is open, and its clocks
 * @param drivers run operations
 * @param wakeUps wakes waiters
 * @param waiters the waiters of this client
 * @param ids where ids of count-downs come from
 */
public record LatchServices(
        RequestContext context,
        Drivers drivers,
        WakeListener wakeUps,
        LatchWaiters waiters,
        Supplier<AcquisitionId> ids) {

    /** The latch of a key; nothing is sent. */
    public DistributedLatch of(LockKey key) {
        return new LatchView(this, new LatchKey(key));
    }
}
