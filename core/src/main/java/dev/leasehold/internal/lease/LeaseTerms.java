package dev.leasehold.internal.lease;

import dev.leasehold.LockOptions;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import org.jspecify.annotations.Nullable;

/**
 * The immutable part of a lease: its lock, its id, its owner and its options. A superclass instead of a field, because a client
 * may have a hundred thousand leases.
 */
abstract sealed class LeaseTerms permits LeaseRecord {

    private final LockKey key;
    private final AcquisitionId id;
    /** Null if the lease is its own owner; the key of that owner is made from the id when it is read. */
    private final @Nullable OwnerKey named;

    private final LockOptions options;
    private final @Nullable Thread thread;
    private final boolean tiedToThread;

    LeaseTerms(
            LockKey key,
            AcquisitionId id,
            @Nullable OwnerKey named,
            LockOptions options,
            @Nullable Thread thread,
            boolean tiedToThread) {
        this.key = key;
        this.id = id;
        this.named = named;
        this.options = options;
        this.thread = thread;
        this.tiedToThread = tiedToThread;
    }

    public final LockKey key() {
        return key;
    }

    /** The id of the acquisition; see {@link LeaseRecord#hold} for that of the hold in Redis. */
    public final AcquisitionId id() {
        return id;
    }

    public final LockOptions options() {
        return options;
    }

    /** The thread that holds it: interrupted on loss, and shown when the lease is held for long; null if none does. */
    @Nullable
    public final Thread thread() {
        return thread;
    }

    /** Returns whether the lease ends with its thread, because it was acquired through {@code Lock}. */
    public final boolean tiedToThread() {
        return tiedToThread;
    }

    /** The owner: a named one, or the lease itself. */
    public final OwnerKey owner() {
        return named == null ? OwnerKey.anonymous(id) : named;
    }

    public final boolean ofNamedOwner() {
        return named != null;
    }

    /** Returns whether replicas or disks must acknowledge it. Such a lease neither shares its hold nor hands it off. */
    public final boolean durable() {
        return options.durability().enabled();
    }

    public final long leaseNanos() {
        return options.leaseTime().toNanos();
    }
}
