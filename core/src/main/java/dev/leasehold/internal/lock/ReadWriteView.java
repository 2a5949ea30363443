package dev.leasehold.internal.lock;

import dev.leasehold.DistributedLock;
import dev.leasehold.DistributedReadWriteLock;
import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.MultiLease;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.ReadKey;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.release.DowngradeOperation;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/** Both sides of a lock as its users see it. Immutable; it has no state of its own. */
public final class ReadWriteView implements DistributedReadWriteLock {

    private final LockServices services;
    private final LockKey key;
    private final DistributedLock read;
    private final DistributedLock write;

    /** Creates the view; nothing is sent. */
    public ReadWriteView(LockServices services, LockKey key, LockOptions options) {
        this.services = services;
        this.key = key;
        this.read = LockView.of(services, ReadKey.of(key), options);
        this.write = LockView.writing(services, key, options);
    }

    @Override
    public String name() {
        return key.name();
    }

    @Override
    public DistributedLock readLock() {
        return read;
    }

    @Override
    public DistributedLock writeLock() {
        return write;
    }

    @Override
    public Lease downgrade(Lease lease) {
        services.drivers().refuseOnEventLoop(key);
        LeaseRecord reader = services.drivers().runUninterruptibly(downgrading(lease));
        return services.handles().of(reader, services.callSites().here());
    }

    @Override
    public CompletionStage<Lease> downgradeAsync(Lease lease) {
        DowngradeOperation downgrade = downgrading(lease);
        String acquiredAt = services.callSites().here();
        return services.drivers()
                .promise(downgrade, reader -> services.handles().of(reader, acquiredAt));
    }

    private DowngradeOperation downgrading(Lease lease) {
        if (lease instanceof MultiLease) {
            throw LockMessages.noWriter(key, lease, "it is of several locks, which are released together");
        }
        LeaseRecord writer = services.handles().recordOf(Objects.requireNonNull(lease, "lease"));
        if (writer == null) {
            throw LockMessages.noWriter(key, lease, "it is of another client");
        }
        if (!writer.key().equals(key)) {
            throw LockMessages.noWriter(key, lease, "it is of another lock or side");
        }
        if (writer.tiedToThread()) {
            throw LockMessages.noWriter(
                    key,
                    lease,
                    "a thread has it by lock(): lock the read side in that thread, then unlock the write side");
        }
        if (writer.ofNamedOwner()) {
            throw LockMessages.noWriter(key, lease, "its owner has a name, and may have other leases");
        }
        return services.releases().downgrade(writer);
    }

    @Override
    public String toString() {
        return "read-write lock " + key.shown();
    }
}
