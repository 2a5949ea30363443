package dev.leasehold.tck;

import dev.leasehold.DistributedLock;
import dev.leasehold.Leasehold;

/** The write side of a read-write lock as a lock. */
public abstract class ReadWriteMutexContract extends MutexContract {

    /** For subclasses. */
    protected ReadWriteMutexContract() {}

    @Override
    protected final DistributedLock lock(Leasehold client, String name) {
        return client.readWriteLock(name).writeLock();
    }
}
