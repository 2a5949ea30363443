package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Fencing tokens: they rise at every change of holder, whatever happens to the data. */
class FencingContract extends LockBase {

    private static final long LARGEST = (1L << 53) - 1;

    @Test
    @Tag("long")
    void tokensRiseOverThousandsOfAcquisitionsOfTwoClients() throws Exception {
        String name = name();
        DistributedLock one = lock(client(), name);
        DistributedLock two = lock(client(), name);
        long last = 0;
        // A retained hold has to be asked for each time.
        int times = topology() == Topology.STANDALONE && retainMillis() == 0 ? 5_000 : 500;
        for (int i = 0; i < times; i++) {
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
        DistributedLock one = lock(client(), name);
        DistributedLock two = lock(client(), name);
        long last = next(one, 0);
        deleteAll();
        last = next(one, last);
        deleteAll();
        last = next(two, last);
        // The first client may retain its hold although it is gone, for so long.
        long over = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(retainMillis());
        await().until(() -> System.nanoTime() - over > 0);
        deleteAll();
        next(one, last);
    }

    @Test
    void tokensRiseUnderLoadWhileAllDataAreDeletedAgainAndAgain() throws Exception {
        // hazard 20: FLUSHALL under load.
        String name = name();
        Tokens tokens = new Tokens(retainMillis());
        AtomicBoolean stop = new AtomicBoolean();
        List<CompletableFuture<Integer>> workers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            DistributedLock lock = lock(client(), name, lease(2000));
            workers.add(inThread(() -> work(lock, tokens, stop)));
        }
        int rounds = retainMillis() == 0 ? 100 : 20;
        for (int i = 0; i < rounds; i++) {
            await().until(tokens::comparedSinceDeletion);
            tokens.delete(this::deleteAll);
        }
        stop.set(true);
        for (CompletableFuture<Integer> worker : workers) {
            assertThat(worker.get(1, TimeUnit.MINUTES)).isPositive();
        }
    }

    /**
     * The highest token so far. An acquisition that begins after another was granted gets a higher one. A client that retains a hold
     * may take it over for as long as it retains it, also if the hold was deleted and another client has the lock with a higher token.
     */
    private static final class Tokens {
        private final long retainedNanos;
        private final AtomicLong highest = new AtomicLong();
        private final AtomicInteger compared = new AtomicInteger(-1);
        private final AtomicInteger deletions = new AtomicInteger();
        private volatile boolean deleting;
        private volatile long deletedAt;

        Tokens(long retainedMillis) {
            this.retainedNanos = TimeUnit.MILLISECONDS.toNanos(retainedMillis);
            this.deletedAt = System.nanoTime();
        }

        void delete(Runnable flush) {
            deleting = true;
            flush.run();
            deletedAt = System.nanoTime();
            deletions.incrementAndGet();
            deleting = false;
        }

        /** Returns whether an acquisition was compared that began after the last deletion. */
        boolean comparedSinceDeletion() {
            return compared.get() == deletions.get();
        }

        /** Returns whether no client retains a hold of before the last deletion. */
        private boolean settled() {
            return retainedNanos == 0 || (System.nanoTime() - deletedAt > retainedNanos && !deleting);
        }

        Lease next(DistributedLock lock) throws InterruptedException {
            // Read in this order: a token of after a deletion is compared only if that deletion is known here.
            long before = highest.get();
            int deletion = deletions.get();
            boolean compares = settled();
            Lease lease = lock.acquire(Duration.ofSeconds(15));
            if (compares) {
                assertThat(lease.fencingToken()).isGreaterThan(before);
                compared.accumulateAndGet(deletion, Math::max);
            }
            highest.accumulateAndGet(lease.fencingToken(), Math::max);
            return lease;
        }
    }

    private static int work(DistributedLock lock, Tokens tokens, AtomicBoolean stop) throws InterruptedException {
        int rounds = 0;
        while (!stop.get()) {
            Lease lease = tokens.next(lock);
            rounds++;
            if (!released(lease)) {
                assertThat(lease.isHeld()).isFalse();
            }
        }
        return rounds;
    }

    @Test
    void aTokenStaysTheSameForTheWholeLifeOfALease() throws Exception {
        Lease lease = lock(client(), name(), renewedSoon()).acquire();
        long token = lease.fencingToken();
        lease.extend(Duration.ofSeconds(1));
        assertThat(lease.fencingToken()).isEqualTo(token);
        lease.close();
        assertThat(lease.fencingToken()).isEqualTo(token);
    }

    /** Writes a lock that was last held with this token. */
    private void lastToken(String name, long token) {
        servers(name).forEach(server -> server.command("HSET", key(name), "v", "1", "last", Long.toString(token)));
    }

    @Test
    void aTokenThatIsAheadOfTheServersClockIsStillExceededAndItsKeyOutlivesIt() throws Exception {
        // finding 3 (ii): after a clock that jumped forward, the key must not expire before time has passed the
        // last token.
        String name = name();
        long ahead = serverMicros() + 3_600_000_000L;
        lastToken(name, ahead);
        try (Lease lease = unusedLock(client(), name).acquire()) {
            assertThat(lease.fencingToken()).isEqualTo(ahead + 1);
        }
        assertThat(left(key(name))).isGreaterThan(3_600_000L);
    }

    @Test
    void aClientRefusesWhenTheDataIsLostAndTheClockIsBehindWhatItHasSeen() throws Exception {
        String name = name();
        long ahead = serverMicros() + 60_000_000L;
        lastToken(name, ahead);
        DistributedLock lock = unusedLock(client(), name);
        lock.acquire().close();
        deleteAll();
        assertThatThrownBy(lock::tryAcquire)
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContaining("fencing token")
                .hasMessageContaining("clock");
        assertThat(holds(name)).isZero();
        // Another client, which has not seen that token, can continue.
        lock(client(), name).acquire().close();
    }

    @Test
    void tokensNeverReachTwoToTheFiftyThird() throws Exception {
        // hazard 28: Lua numbers are doubles; beyond 2^53 two holders would get one token.
        String name = name();
        lastToken(name, LARGEST - 1);
        Leasehold leasehold = client();
        try (Lease lease = unusedLock(leasehold, name).acquire()) {
            assertThat(lease.fencingToken()).isEqualTo(LARGEST);
        }
        assertThatThrownBy(() -> unusedLock(client(), name).tryAcquire())
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContaining("2^53");
        assertThat(field(name, "last")).isEqualTo(Long.toString(LARGEST));
    }
}
