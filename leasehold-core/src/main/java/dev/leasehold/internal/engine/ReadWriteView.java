package dev.leasehold.internal.engine;

import dev.leasehold.DistributedLock;
import dev.leasehold.DistributedReadWriteLock;
import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.ReadKey;
import java.util.concurrent.CompletionStage;

/** Both sides of a lock as its users see it. Immutable; all state is in the engine. */
public final class ReadWriteView implements DistributedReadWriteLock {

    private final Engine engine;
    private final LockKey key;
    private final DistributedLock read;
    private final DistributedLock write;

    /** Nothing is sent. */
    public ReadWriteView(Engine engine, LockKey key, LockOptions options) {
        this.engine = engine;
        this.key = key;
        this.read = LockView.of(engine, ReadKey.of(key), options);
        this.write = LockView.writing(engine, key, options);
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
        LeaseRecord reader = new BlockingDriver<>(engine, downgrading(lease)).runUninterruptibly();
        return LeaseHandle.of(engine, reader, engine.callSites.here());
    }

    @Override
    public CompletionStage<Lease> downgradeAsync(Lease lease) {
        DowngradeOperation downgrade = downgrading(lease);
        String takenAt = engine.callSites.here();
        return new AsyncDriver<>(engine, downgrade)
                .start()
                .thenApply(reader -> LeaseHandle.of(engine, reader, takenAt));
    }

    private DowngradeOperation downgrading(Lease lease) {
        LeaseRecord writer = LeaseHandle.recordOf(engine, lease);
        if (writer == null) {
            throw LockMessages.noWriter(key, lease, "it is of another client");
        }
        if (!writer.key.equals(key)) {
            throw LockMessages.noWriter(key, lease, "it is of another lock or side");
        }
        if (writer.ofNamedOwner()) {
            throw LockMessages.noWriter(key, lease, "its owner has a name, and may have other leases");
        }
        return new DowngradeOperation(engine, writer);
    }

    @Override
    public String toString() {
        return "read-write lock " + key.shown();
    }
}
