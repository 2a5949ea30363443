package dev.leasehold.tck;

import dev.leasehold.DistributedLock;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import java.time.Duration;

/** Fair locks as locks. */
@Except(
        value = {Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "its servers see those who wait in different orders")
public abstract class FairMutexContract extends MutexContract {

    /** For subclasses. */
    protected FairMutexContract() {}

    @Override
    protected final DistributedLock lock(Leasehold client, String name) {
        return client.fairLock(name);
    }

    /** Who may have to wait fairly hears wake-ups before it takes a place. */
    @Override
    final void untilConnected(FaultProxy proxy) {
        await().until(() -> proxy.requestCounts().containsKey("SUBSCRIBE"));
    }

    /** Who polls cannot wait fairly. */
    @Override
    protected final LockOptions options(long leaseMillis) {
        return LockOptions.builder().leaseTime(Duration.ofMillis(leaseMillis)).build();
    }
}
