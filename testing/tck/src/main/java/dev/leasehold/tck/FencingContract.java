package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.OwnedLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Fencing tokens: they rise at every change of holder, whatever happens to the data. */
public abstract class FencingContract extends ContractBase {

    private static final long LARGEST = (1L << 53) - 1;

    /** For subclasses. */
    protected FencingContract() {}

    @Test
    @Tag("long")
    void tokensRiseOverTenThousandAcquisitionsOfTwoClients() throws Exception {
        String name = name();
        DistributedLock one = client().lock(name);
        DistributedLock two = client().lock(name);
        long last = 0;
        for (int i = 0; i < 5000; i++) {
            last = next(one, last);
            last = next(two, last);
        }
    }

    private static long next(DistributedLock lock, long last) throws InterruptedException {
        try (Lease lease = lock.acquire()) {
            assertThat(lease.fencingToken()).isGreaterThan(last).isLessThanOrEqualTo(LARGEST);
            return lease.fencingToken();
        }
    }

    @Test
    void tokensRiseOverFlushAllAlsoWhenTheNextHolderIsAnotherClient() throws Exception {
        // hazard 20: a counter would restart at 1.
        String name = name();
        DistributedLock one = client().lock(name);
        DistributedLock two = client().lock(name);
        long last = next(one, 0);
        server().command("FLUSHALL");
        last = next(one, last);
        server().command("FLUSHALL");
        last = next(two, last);
        server().command("FLUSHALL");
        next(one, last);
    }

    @Test
    void tokensRiseUnderLoadWhileAllDataAreDeletedAgainAndAgain() throws Exception {
        // hazard 20: FLUSHALL under load.
        String name = name();
        AtomicLong highest = new AtomicLong();
        AtomicBoolean stop = new AtomicBoolean();
        List<CompletableFuture<Integer>> workers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            DistributedLock lock = client().lock(name).with(lease(2000));
            workers.add(inThread(() -> work(lock, highest, stop)));
        }
        for (int i = 0; i < 100; i++) {
            long before = highest.get();
            await().until(() -> highest.get() > before);
            server().command("FLUSHALL");
        }
        stop.set(true);
        for (CompletableFuture<Integer> worker : workers) {
            assertThat(worker.get(20, TimeUnit.SECONDS)).isPositive();
        }
    }

    /** Asserts that an acquisition that begins after another was granted gets a higher token. */
    private static int work(DistributedLock lock, AtomicLong highest, AtomicBoolean stop) throws InterruptedException {
        int rounds = 0;
        while (!stop.get()) {
            long before = highest.get();
            Lease lease = lock.acquire(Duration.ofSeconds(15));
            assertThat(lease.fencingToken()).isGreaterThan(before);
            highest.accumulateAndGet(lease.fencingToken(), Math::max);
            rounds++;
            try {
                lease.close();
            } catch (LeaseLostException deleted) {
                assertThat(lease.isHeld()).isFalse();
            }
        }
        return rounds;
    }

    @Test
    void aReentryKeepsItsToken() throws Exception {
        String name = name();
        OwnedLock owner = client().lock(name).ownedBy("o");
        try (Lease first = owner.acquire();
                Lease second = client().lock(name).ownedBy("o").acquire()) {
            assertThat(second.fencingToken()).isEqualTo(first.fencingToken());
        }
        try (Lease later = owner.acquire()) {
            assertThat(later.fencingToken()).isGreaterThan(0);
        }
    }

    @Test
    void aTokenStaysTheSameForTheWholeLifeOfALease() throws Exception {
        Lease lease = client().lock(name()).with(lease(500)).acquire();
        long token = lease.fencingToken();
        lease.extend(Duration.ofSeconds(1));
        assertThat(lease.fencingToken()).isEqualTo(token);
        lease.close();
        assertThat(lease.fencingToken()).isEqualTo(token);
    }

    @Test
    void aTokenThatIsAheadOfTheServersClockIsStillExceededAndItsKeyOutlivesIt() throws Exception {
        // finding 3 (ii): after a clock that jumped forward, the key must not expire before time has passed the
        // last token.
        String name = name();
        long ahead = serverMicros() + 3_600_000_000L;
        server().command("HSET", key(name), "v", "1", "last", Long.toString(ahead));
        try (Lease lease = client().lock(name).acquire()) {
            assertThat(lease.fencingToken()).isEqualTo(ahead + 1);
        }
        Long ttlMillis = (Long) server().command("PTTL", key(name));
        assertThat(ttlMillis).isGreaterThan(3_600_000L);
    }

    @Test
    void aClientRefusesWhenTheDataIsLostAndTheClockIsBehindWhatItHasSeen() throws Exception {
        String name = name();
        long ahead = serverMicros() + 60_000_000L;
        server().command("HSET", key(name), "v", "1", "last", Long.toString(ahead));
        DistributedLock lock = client().lock(name);
        lock.acquire().close();
        server().command("FLUSHALL");
        assertThatThrownBy(lock::tryAcquire)
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContaining("fencing token")
                .hasMessageContaining("clock");
        assertThat(holds(name)).isZero();
        // Another client, which has not seen that token, can continue.
        client().lock(name).acquire().close();
    }

    @Test
    void tokensNeverReachTwoToTheFiftyThird() throws Exception {
        // hazard 28: Lua numbers are doubles; beyond 2^53 two holders would get one token.
        String name = name();
        server().command("HSET", key(name), "v", "1", "last", Long.toString(LARGEST - 1));
        Leasehold leasehold = client();
        try (Lease lease = leasehold.lock(name).acquire()) {
            assertThat(lease.fencingToken()).isEqualTo(LARGEST);
        }
        assertThatThrownBy(() -> client().lock(name).tryAcquire())
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContaining("2^53");
        assertThat(field(name, "last")).isEqualTo(Long.toString(LARGEST));
    }
}
