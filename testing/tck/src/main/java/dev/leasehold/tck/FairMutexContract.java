package dev.leasehold.tck;

import dev.leasehold.DistributedLock;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import java.time.Duration;

/** The contract of mutual exclusion on fair locks. */
@Except(
        value = {Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "its servers see the waiters in different orders")
class FairMutexContract extends MutexContract {

    @Override
    protected final DistributedLock lock(Leasehold client, String name) {
        return client.fairLock(name);
    }

    /**
     * Waits for the subscription: a client that may have to wait fairly subscribes to wake-ups before it joins the
     * queue. A lent client of a cluster may do so at any node.
     */
    @Override
    final void untilConnected() {
        await().until(() -> subscribedClients() > 0);
    }

    /** Returns options without polling, which fair locks refuse. */
    @Override
    protected final LockOptions options(long leaseMillis) {
        return LockOptions.builder().leaseTime(Duration.ofMillis(leaseMillis)).build();
    }
}
