package dev.leasehold.tck;

import dev.leasehold.DistributedLock;
import dev.leasehold.Leasehold;

/** The write side of a read-write lock as a lock. */
@Except(
        value = {Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "its servers see those who wait in different orders")
public abstract class ReadWriteMutexContract extends MutexContract {

    /** For subclasses. */
    protected ReadWriteMutexContract() {}

    @Override
    protected final DistributedLock lock(Leasehold client, String name) {
        return client.readWriteLock(name).writeLock();
    }
}
