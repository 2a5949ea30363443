package dev.leasehold.tck;

import dev.leasehold.DistributedLock;
import dev.leasehold.Leasehold;

/** A semaphore of one permit as a lock. */
public abstract class SemaphoreMutexContract extends MutexContract {

    /** For subclasses. */
    protected SemaphoreMutexContract() {}

    @Override
    protected final DistributedLock lock(Leasehold client, String name) {
        return client.semaphore(name, 1).asLock();
    }
}
