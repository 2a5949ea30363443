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
 * A lock registry of Spring Integration 7 whose locks are those of a {@link Leasehold} client: for components that take a
 * {@code LockRegistry}, such as aggregators and {@code LockRegistryLeaderInitiator}.
 *
 * <p>A lock is owned by the thread and re-entrant; who holds it is counted by the client, so the registry keeps nothing and two
 * objects of one key are one lock. It is renewed in the background until it is unlocked, as the options say. {@code unlock} of
 * a lock whose lease was lost throws {@link dev.leasehold.LeaseLostException}, also at the end of {@code executeLocked}, whose
 * work then may have run beside another's.
 *
 * <p>When Redis does not answer, {@code tryLock} with a time ends when its time is up, and the others after the client's outage
 * tolerance, with {@link dev.leasehold.LockUnavailableException}. Closing the client is up to the application. Safe for use by any
 * thread.
 */
public final class LeaseholdLockRegistry
        implements ExpirableLockRegistry<DistributedLock>, RenewableLockRegistry<DistributedLock> {

    private final Leasehold leasehold;
    private final String namePrefix;
    private final LockOptions options;

    /**
     * A registry with the default options of locks: a lease of 30 s, renewed while it is held.
     *
     * @param leasehold whose locks they are
     * @param namePrefix what stands before each key in the name of its lock, such as {@code "orders:"}; may be empty. The lock of
     *     key {@code 17} is then that of {@code leasehold.lock("orders:17")}
     */
    public LeaseholdLockRegistry(Leasehold leasehold, String namePrefix) {
        this(leasehold, namePrefix, LockOptions.defaults());
    }

    /**
     * A registry with options of its own.
     *
     * @param leasehold whose locks they are
     * @param namePrefix what stands before each key in the name of its lock; may be empty
     * @param options for every lock, where no time to live is given with the call
     */
    public LeaseholdLockRegistry(Leasehold leasehold, String namePrefix, LockOptions options) {
        this.leasehold = Objects.requireNonNull(leasehold, "leasehold");
        this.namePrefix = Objects.requireNonNull(namePrefix, "namePrefix");
        this.options = Objects.requireNonNull(options, "options");
    }

    /**
     * The lock of a key. Nothing is sent.
     *
     * @param lockKey a {@code String}; with the prefix it must obey the rules of {@link Leasehold#lock names}
     * @return a view of the lock
     * @throws IllegalArgumentException if the key is no string or breaks the rule, or the lease time exceeds the client's maximum
     * @throws IllegalStateException if the client is closed
     */
    @Override
    public DistributedLock obtain(Object lockKey) {
        return view(lockKey);
    }

    /**
     * The lease under which the calling thread holds the lock of a key: for its fencing token, or to hear of its loss.
     *
     * @param lockKey as for {@link #obtain}
     * @return the lease; it may be lost. Leave it to {@code unlock} to give it back
     * @throws IllegalStateException if the calling thread does not hold the lock
     */
    public Lease lease(Object lockKey) {
        return view(lockKey).lease();
    }

    /**
     * Makes the lease of a lock that the calling thread holds end no earlier than the lease time of the options from now. One round
     * trip. Locks are renewed in the background anyway, unless the options say otherwise.
     *
     * @param lockKey as for {@link #obtain}
     * @throws IllegalStateException if the calling thread does not hold the lock, or its lease is lost
     * @throws dev.leasehold.LockUnavailableException if Redis did not answer within the command time-out; the lease keeps its end
     */
    @Override
    public void renewLock(Object lockKey) {
        renewLock(lockKey, options.leaseTime());
    }

    /**
     * Makes the lease of a lock that the calling thread holds end no earlier than a time from now. A lease that ends later stays as
     * it is, but Redis is asked whether it is there. One round trip.
     *
     * @param lockKey as for {@link #obtain}
     * @param ttl how long it shall last from now at the least; positive
     * @throws IllegalStateException if the calling thread does not hold the lock, or its lease is lost
     * @throws IllegalArgumentException if the time exceeds the client's maximum lease time
     * @throws dev.leasehold.LockUnavailableException if Redis did not answer within the command time-out; the lease keeps its end
     */
    @Override
    public void renewLock(Object lockKey, Duration ttl) {
        view(lockKey).renew(ttl);
    }

    /**
     * Does nothing: the registry keeps no locks, and what a thread holds is forgotten when it unlocks or ends.
     *
     * @param age is not used
     */
    @Override
    public void expireUnusedOlderThan(long age) {}

    private LockOfThread view(Object lockKey) {
        if (!(lockKey instanceof String key)) {
            throw new IllegalArgumentException("the key of a lock must be a String, not "
                    + (lockKey == null ? "null" : lockKey.getClass().getName())
                    + ": its text must be the same in every process. Give the text that it stands for");
        }
        return new LockOfThread(leasehold.lock(namePrefix + key), options);
    }
}
