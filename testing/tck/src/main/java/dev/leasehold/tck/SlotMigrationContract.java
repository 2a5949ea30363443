package dev.leasehold.tck;

import static dev.leasehold.tck.TransportCalls.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.testkit.EmbeddedRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Leases whose slot moves from one primary to another. */
class SlotMigrationContract extends ClusterLeases {

    @Test
    void leasesAreAcquiredRenewedAndReleasedInEveryStepOfAMigration() {
        // hazard 37: two keys in one slot could neither be locked nor released for the length of the migration.
        List<String> twins = namesOfOneSlot(name()).limit(2).toList();
        String held = twins.get(0);
        String other = twins.get(1);
        int slot = cluster.slotOf(ContractBase.key(held));
        EmbeddedRedis from = cluster.nodeOf(slot);
        EmbeddedRedis to = cluster.nodes().get((cluster.nodes().indexOf(from) + 1) % 3);
        Lease lease = acquire(held);
        awaitRenewals(held, 1);

        cluster.beginMigration(slot, to);
        awaitRenewals(held, 2);
        use(other);
        assertThat(lock(held).tryAcquire()).isEmpty();
        cluster.moveKeys(slot);
        awaitRenewals(held, 2);
        use(other);
        assertThat(lock(held).tryAcquire()).isEmpty();
        assertThat(lease.extend(Duration.ofSeconds(1))).isTrue();
        lease.release();
        assertThat(losses).isEmpty();

        Lease second = acquire(held);
        assertThat(second.fencingToken()).isGreaterThan(lease.fencingToken());
        // Both keys may still be on either side, like the tombstones.
        cluster.moveKeys(slot);
        cluster.finishMigration(slot);
        awaitRenewals(held, 2);
        use(other);
        second.release();
        use(held);
        assertThat(losses).isEmpty();
    }

    @Test
    void contendersTakeTurnsInEveryStepOfAMigration() {
        String name = name();
        int slot = cluster.slotOf(ContractBase.key(name));
        EmbeddedRedis home = cluster.nodeOf(slot);
        int first = cluster.nodes().indexOf(home);
        Contest contest = new Contest(name);
        ExecutorService threads = Executors.newCachedThreadPool();
        try (Leasehold other = builder().build()) {
            List<CompletableFuture<Void>> contenders = Stream.of(leasehold, other, leasehold, other)
                    .map(client -> CompletableFuture.runAsync(() -> contest.takeTurns(client), threads))
                    .toList();
            for (int i = 1; i <= 3; i++) {
                contest.awaitTurns();
                cluster.beginMigration(slot, cluster.nodes().get((first + i) % 3));
                contest.awaitTurns();
                cluster.moveKeys(slot);
                contest.awaitTurns();
                cluster.finishMigration(slot);
            }
            contest.awaitTurns();
            contest.over = true;
            contenders.forEach(TransportCalls::answer);
        } finally {
            contest.over = true;
            threads.shutdown();
        }
        assertThat(losses).isEmpty();
    }

    /** Contenders that hold the lock in turn, each alone and with a higher token than the previous one. */
    private static final class Contest {
        final String name;
        final AtomicInteger inside = new AtomicInteger();
        final AtomicInteger turns = new AtomicInteger();
        final AtomicLong lastToken = new AtomicLong();
        volatile boolean over;

        Contest(String name) {
            this.name = name;
        }

        void takeTurns(Leasehold client) {
            LockOptions brief =
                    LockOptions.builder().leaseTime(Duration.ofSeconds(6)).build();
            while (!over) {
                try (Lease lease = client.lock(name).with(brief).acquire(LIMIT)) {
                    assertThat(inside.incrementAndGet()).isEqualTo(1);
                    long token = lease.fencingToken();
                    assertThat(lastToken.getAndSet(token)).isLessThan(token);
                    turns.incrementAndGet();
                    inside.decrementAndGet();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        }

        void awaitTurns() {
            int before = turns.get();
            await().atMost(LIMIT).until(() -> turns.get() >= before + 8);
        }
    }

    @Test
    void leasesOfASlotThatIsHalfMovedAreAllRenewed() {
        // Redis refuses a call over keys of both sides: TRYAGAIN.
        List<String> names = namesOfOneSlot(name()).limit(40).toList();
        int slot = cluster.slotOf(ContractBase.key(names.get(0)));
        EmbeddedRedis from = cluster.nodeOf(slot);
        EmbeddedRedis to = cluster.nodes().get((cluster.nodes().indexOf(from) + 1) % 3);
        List<Lease> leases = new ArrayList<>();
        names.subList(0, 20).forEach(name -> leases.add(acquire(name)));
        cluster.beginMigration(slot, to);
        names.subList(20, 40).forEach(name -> leases.add(acquire(name)));
        await().atMost(LIMIT)
                .until(() -> names.stream().allMatch(name -> renewals(name).get() >= 3));
        cluster.moveKeys(slot);
        cluster.finishMigration(slot);
        renewals.clear();
        await().atMost(LIMIT)
                .until(() -> names.stream().allMatch(name -> renewals(name).get() >= 3));
        leases.forEach(Lease::release);
        assertThat(losses).isEmpty();
    }
}
