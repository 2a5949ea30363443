package dev.leasehold.internal.lock;

import dev.leasehold.LockOptions;
import dev.leasehold.OwnedLock;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;

/** A lock as a named owner sees it. */
final class OwnedLockView extends LockView implements OwnedLock {

    private final OwnerKey named;

    OwnedLockView(LockServices services, LockKey key, LockOptions options, OwnerKey named, boolean fair) {
        super(services, key, options, named, fair);
        this.named = named;
    }

    @Override
    public String owner() {
        return named.name();
    }

    @Override
    public boolean isHeld() {
        return holdCount() > 0;
    }

    @Override
    public int holdCount() {
        services.context().ensureOpen();
        return services.inspection().liveHolds(key, named);
    }

    @Override
    public OwnedLock with(LockOptions other) {
        services.options().check(other);
        return new OwnedLockView(services, key, fair ? checkFair(other) : other, named, fair);
    }
}
