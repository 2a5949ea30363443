package dev.leasehold.tck;

import dev.leasehold.DistributedLock;
import dev.leasehold.Leasehold;

/** The contract of mutual exclusion on a semaphore of one permit. */
@Except(
        value = {Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "each server counts for itself")
class SemaphoreMutexContract extends MutexContract {

    @Override
    protected final DistributedLock lock(Leasehold client, String name) {
        return client.semaphore(name, 1).asLock();
    }
}
