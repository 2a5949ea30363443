package dev.leasehold.tck;

import dev.leasehold.DistributedLock;
import dev.leasehold.Leasehold;

/** The contract of mutual exclusion on the write side of a read-write lock. */
@Except(
        value = {Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "its servers see the waiters in different orders")
class ReadWriteMutexContract extends MutexContract {

    @Override
    protected final DistributedLock lock(Leasehold client, String name) {
        return client.readWriteLock(name).writeLock();
    }
}
