package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.DistributedLock;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The contract of mutual exclusion on locks whose holds are retained between two uses. */
@Except(
        value = {Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "a quorum retains no holds")
@SuppressWarnings("LockNotBeforeTry") // as in the contract itself
public abstract class RetainingMutexContract extends MutexContract {

    private static final Duration RETAINED = Duration.ofMillis(200);

    /** For subclasses. */
    protected RetainingMutexContract() {}

    @Override
    protected final DistributedLock lock(Leasehold client, String name) {
        return client.lock(name).with(options(30_000));
    }

    /** Returns options with a short lease, whose hold is retained for a fifth of a second, or for as long as the lease. */
    @Override
    protected final LockOptions options(long leaseMillis) {
        Duration lease = Duration.ofMillis(leaseMillis);
        return lease(leaseMillis).toBuilder()
                .retainFor(lease.compareTo(RETAINED) < 0 ? lease : RETAINED)
                .build();
    }

    /** A retained hold is not that of a caller. */
    @Override
    protected final boolean isHeldInRedis(String name) {
        return super.isHeldInRedis(name) && field(name, "rt").equals("null");
    }

    /** Other clients find a retained lock free at their next try, so this test tries until then. */
    @Test
    @Override
    void aHeldLockIsRefusedToOthersUntilItIsUnlocked() {
        String name = name();
        DistributedLock own = lock(client(), name);
        DistributedLock theirs = lock(client(), name);
        own.lock();
        assertThat(theirs.tryLock()).isFalse();
        own.unlock();
        await().until(theirs::tryLock);
        theirs.unlock();
    }

    @Test
    @Override
    void aHundredNamesHeldAtOnceAreAHundredLocks() {
        Leasehold leasehold = client();
        Leasehold other = client();
        String prefix = name();
        for (int i = 0; i < 100; i++) {
            lock(leasehold, prefix + ":" + i).lock();
        }
        for (int i = 0; i < 100; i++) {
            DistributedLock lock = lock(leasehold, prefix + ":" + i);
            assertThat(lock.holdCount()).isEqualTo(1);
            lock.unlock();
            await().until(lock(other, prefix + ":" + i)::tryLock);
        }
    }

    /** A release and the acquisition after it need no request each. */
    @Test
    @Override
    void anUncontendedLockTakesOneExchangeAndAnUnlockAnotherAndNothingElse() {
        FaultProxy proxy = proxy();
        String name = name();
        DistributedLock lock = lock(client(proxy.uri(), builder -> {}), name);
        await().until(() -> {
            lock.lock();
            lock.unlock();
            Map<String, Long> requests = new HashMap<>(proxy.requestCounts());
            lock.lock();
            lock.unlock();
            return proxy.requestCounts().equals(requests);
        });
    }
}
