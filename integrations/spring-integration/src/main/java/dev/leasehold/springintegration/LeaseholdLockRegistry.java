package dev.leasehold.springintegration;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import java.time.Duration;
import java.util.Objects;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * A lock registry of Spring Integration 7 whose locks are those of a {@link Leasehold} client: for components that take
 * a {@code LockRegistry}, such as aggregators and {@code LockRegistryLeaderInitiator}.
 *
 * <p>A lock is owned by the thread and reentrant. The client counts the holds, so the registry has no state, and two
 * objects of one key are one lock, and equal. The client renews the lease in the background until the lock is unlocked, according
 * to the options. If the lease was lost, {@code unlock} throws {@link dev.leasehold.LeaseLostException}. At the end of
 * {@code executeLocked} this means that the work may have overlapped with another holder's.
 *
 * <p>If Redis does not answer, {@code tryLock} with a time ends when its time is up, and the other methods after the
 * client's outage tolerance, with {@link dev.leasehold.LockUnavailableException}. The application closes the client.
 * Thread-safe.
 */
public final class LeaseholdLockRegistry
        implements ExpirableLockRegistry<DistributedLock>, RenewableLockRegistry<DistributedLock> {

    private final Leasehold leasehold;
    private final String namePrefix;
    private final LockOptions options;

    /**
     * Creates a registry with the default options of locks: a lease of 30 s, renewed while it is held.
     *
     * @param leasehold the client of the locks
     * @param namePrefix the prefix of each key in the name of its lock, such as {@code "orders:"}; may be empty. The
     *     lock of key {@code 17} is then {@code leasehold.lock("orders:17")}
     */
    public LeaseholdLockRegistry(Leasehold leasehold, String namePrefix) {
        this(leasehold, namePrefix, LockOptions.defaults());
    }

    /**
     * Creates a registry with options of its own.
     *
     * @param leasehold the client of the locks
     * @param namePrefix the prefix of each key in the name of its lock; may be empty
     * @param options the options of every lock; a time to live in the call takes precedence over the lease time
     */
    public LeaseholdLockRegistry(Leasehold leasehold, String namePrefix, LockOptions options) {
        this.leasehold = Objects.requireNonNull(leasehold, "leasehold");
        this.namePrefix = Objects.requireNonNull(namePrefix, "namePrefix");
        this.options = Objects.requireNonNull(options, "options");
    }

    /**
     * Returns the lock of a key. Sends nothing.
     *
     * @param lockKey a {@code String}; with the prefix it must obey the rules of {@link Leasehold#lock names}
     * @return a view of the lock
     * @throws IllegalArgumentException if the key is no string or breaks the rule, or the lease time exceeds the
     *     client's maximum
     * @throws IllegalStateException if the client is closed
     */
    @Override
    public DistributedLock obtain(Object lockKey) {
        return view(lockKey);
    }

    /**
     * Returns the lease under which the calling thread holds the lock of a key: for its fencing token, or to listen for
     * its loss.
     *
     * @param lockKey as for {@link #obtain}
     * @return the lease; it may be lost. Do not release it: {@code unlock} does
     * @throws IllegalStateException if the calling thread does not hold the lock
     */
    public Lease lease(Object lockKey) {
        return view(lockKey).lease();
    }

    /**
     * Extends the lease of a lock that the calling thread holds to at least the lease time of the options from now. One
     * round trip. Locks are renewed in the background anyway, unless the options disable renewal.
     *
     * @param lockKey as for {@link #obtain}
     * @throws IllegalStateException if the calling thread does not hold the lock, or its lease is lost
     * @throws dev.leasehold.LockUnavailableException if Redis did not answer within the command timeout; the lease
     *     keeps its end
     */
    @Override
    public void renewLock(Object lockKey) {
        renewLock(lockKey, options.leaseTime());
    }

    /**
     * Extends the lease of a lock that the calling thread holds to at least a time from now. A lease that ends later
     * keeps its end, but Redis checks that it exists. One round trip.
     *
     * @param lockKey as for {@link #obtain}
     * @param ttl the shortest time that the lease lasts from now; positive
     * @throws IllegalStateException if the calling thread does not hold the lock, or its lease is lost
     * @throws IllegalArgumentException if the time exceeds the client's maximum lease time
     * @throws dev.leasehold.LockUnavailableException if Redis did not answer within the command timeout; the lease
     *     keeps its end
     */
    @Override
    public void renewLock(Object lockKey, Duration ttl) {
        view(lockKey).renew(ttl);
    }

    /**
     * Does nothing: the registry stores no locks, and the client drops a thread's holds when it unlocks or ends.
     *
     * @param age ignored
     */
    @Override
    public void expireUnusedOlderThan(long age) {}

    private RegistryLock view(Object lockKey) {
        if (!(lockKey instanceof String key)) {
            throw new IllegalArgumentException("the key of a lock must be a String, not "
                    + (lockKey == null ? "null" : lockKey.getClass().getName())
                    + ": the text of the key must be the same in every process. Pass that text");
        }
        return new RegistryLock(this, leasehold.lock(namePrefix + key), options);
    }
}
