package dev.leasehold.chaos.work;

import dev.leasehold.Acquirable;
import dev.leasehold.DistributedLock;
import dev.leasehold.Durability;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.MultiLease;
import dev.leasehold.OwnedLock;
import dev.leasehold.Renewal;
import dev.leasehold.event.DeadlockEvent;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.interop.Formats;
import dev.leasehold.recipes.DistributedLatch;
import dev.leasehold.recipes.Elections;
import dev.leasehold.recipes.Latches;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Leasehold over Lettuce. */
public final class LeaseholdContender implements Contender {

    /** The permits of each semaphore. */
    static final int PERMITS = 3;

    private static final Duration COMMAND = Duration.ofSeconds(2);
    private static final Duration MEMORY = Duration.ofSeconds(2);
    /** The longest lease of a quorum: for so long a server that may have lost data does not count. */
    private static final Duration LONGEST = Duration.ofSeconds(3);

    private static final Duration RETAINED = Duration.ofMillis(400);

    private static final Duration LOOKS_AFTER = Duration.ofSeconds(1);

    private static final Duration ACKNOWLEDGED = Duration.ofMillis(100);

    private final Leasehold leasehold;
    private final Durability durability;
    private final boolean retains;

    /**
     * Connects to one URI, or to a quorum of several.
     *
     * @param replicas the number of replicas whose acknowledgements it waits for
     * @param retains whether it retains the holds of exclusive locks that it renews
     * @param shared whether its locks are those of Redisson
     * @param onDeadlock receives the deadlocks that the client finds, as text; it looks for them on a single URI
     */
    public LeaseholdContender(
            List<String> uris, int replicas, boolean retains, boolean shared, Consumer<String> onDeadlock) {
        LeaseholdBuilder builder = Leasehold.builder().commandTimeout(COMMAND).rememberTokens(MEMORY);
        if (uris.size() > 1) {
            builder.quorum(uris.toArray(String[]::new))
                    .maxLeaseTime(LONGEST)
                    .defaults(LockOptions.builder().leaseTime(LONGEST).build());
        } else {
            builder.uri(uris.get(0)).deadlockCheck(LOOKS_AFTER).listener(new LeaseholdListener() {
                @Override
                public void deadlock(DeadlockEvent event) {
                    onDeadlock.accept(event.deadlock().cycle().toString());
                }
            });
        }
        if (shared) {
            builder.lockFormat("*", Formats.redissonFenced());
        }
        leasehold = builder.preflight(LeaseholdBuilder.Preflight.OFF).build();
        this.retains = retains;
        durability = replicas > 0 ? Durability.replicas(replicas, ACKNOWLEDGED) : Durability.none();
    }

    @Override
    public Duration timeLimit() {
        return COMMAND;
    }

    @Override
    public @Nullable Held acquire(Wish wish) throws UnavailableException, InterruptedException {
        try {
            Acquirable<Lease> lock = lock(wish);
            Lease lease = wish.timeLimit().isZero()
                    ? lock.tryAcquire().orElse(null)
                    : lock.tryAcquire(wish.timeLimit()).orElse(null);
            return lease == null ? null : new Leased(lease, isFenced(wish.lock()) ? lease::fencingToken : () -> 0);
        } catch (LockUnavailableException e) {
            throw new UnavailableException(e.mayBeTaken(), e);
        }
    }

    private Acquirable<Lease> lock(Wish wish) {
        if (wish.lock().startsWith("semaphore")) {
            return leasehold.semaphore(wish.lock(), PERMITS).with(options(wish));
        }
        DistributedLock lock;
        if (wish.lock().startsWith("fair")) {
            lock = leasehold.fairLock(wish.lock());
        } else if (wish.lock().startsWith("rw")) {
            var both = leasehold.readWriteLock(wish.lock());
            lock = wish.reads() ? both.readLock() : both.writeLock();
        } else if (wish.lock().startsWith("plain")) {
            lock = leasehold.lock(wish.lock(), Formats.plain());
        } else {
            lock = leasehold.lock(wish.lock());
        }
        return lock.with(
                retains(wish) ? options(wish).toBuilder().retainFor(RETAINED).build() : options(wish));
    }

    /** {@inheritDoc} Only exclusive locks that are renewed can be retained. */
    @Override
    public boolean retains(Wish wish) {
        return retains && wish.renewed() && wish.lock().startsWith("mutex");
    }

    private LockOptions options(Wish wish) {
        return LockOptions.builder()
                .leaseTime(wish.lease())
                .renewal(wish.renewed() ? Renewal.whileHeld() : Renewal.none())
                .durability(durability)
                .build();
    }

    /** Returns the lock of a named owner, which may acquire reentrantly and counts the holds. */
    OwnedLock owned(Wish wish, String owner) {
        return leasehold.lock(wish.lock()).with(options(wish)).ownedBy(owner);
    }

    /** Acquires the lock together with another. */
    Optional<MultiLease> several(Wish wish, String other) throws InterruptedException {
        var locks = leasehold.allOf(wish.lock(), other).with(options(wish));
        return wish.timeLimit().isZero() ? locks.tryAcquire() : locks.tryAcquire(wish.timeLimit());
    }

    /** Stands for the election of this name. */
    Standing stand(Wish wish) {
        return new Standing(Elections.of(leasehold).election(wish.lock()).with(options(wish)));
    }

    /** Returns the latch of this name. */
    DistributedLatch latch(String name) {
        return Latches.of(leasehold).latch(name);
    }

    /** Adapts a lease that a named owner acquired. */
    static Held held(Lease lease) {
        return new Leased(lease, lease::fencingToken);
    }

    /** Adapts one lock of a lease of several. */
    static Held held(MultiLease lease, String lock) {
        return new Leased(lease, () -> lease.fencingToken(lock));
    }

    @Override
    public void close() {
        leasehold.close();
    }

    private static boolean isFenced(String lock) {
        return !lock.startsWith("plain") && !lock.startsWith("semaphore");
    }

    private record Leased(Lease lease, LongSupplier fencingToken) implements Held {
        @Override
        public long token() {
            return fencingToken.getAsLong();
        }

        @Override
        public boolean held() {
            return lease.isHeld();
        }

        @Override
        public long leftNanos() {
            return lease.remaining().toNanos();
        }

        @Override
        public void onLost(Consumer<String> listener) {
            lease.onLost(event -> listener.accept(event.cause().name()));
        }

        @Override
        public boolean release() {
            try {
                lease.release();
                return true;
            } catch (LeaseLostException e) {
                return false;
            }
        }
    }
}
