package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.testkit.EmbeddedRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Notification of loss: once, within a bound, whatever took the lease away; and a lost lease is never held again. */
class LossContract extends LockBase {

    private static Queue<LossEvent> listenTo(Lease lease) {
        Queue<LossEvent> losses = new ConcurrentLinkedQueue<>();
        lease.onLost(losses::add);
        return losses;
    }

    @Test
    void aDeletedLockIsReportedAsLostOnceAtItsNextRenewal() throws Exception {
        // hazard 8: renewal fails silently.
        String name = name();
        Lease lease = lock(client(), name, renewedSoon()).acquire();
        Queue<LossEvent> losses = listenTo(lease);
        delete(key(name));
        await().until(() -> !losses.isEmpty());
        assertThat(losses.peek().cause()).isEqualTo(LossCause.DELETED);
        assertThat(lease.isHeld()).isFalse();
        assertThatThrownBy(lease::ensureHeld)
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining(name);
        assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
        lease.close();
        assertThat(losses).hasSize(1);
        // The servers of a quorum may hear of the token of the hold later than of the deletion.
        assertThat(holds(name)).isZero();
    }

    @Test
    void aListenerAddedAfterTheLossIsNotifiedToo() throws Exception {
        String name = name();
        Lease lease = lock(client(), name, unrenewed(100)).acquire();
        await().until(() -> !lease.isHeld());
        Queue<LossEvent> losses = listenTo(lease);
        await().until(() -> losses.size() == 1);
        assertThat(losses.peek().lockName()).isEqualTo(name);
        assertThat(losses.peek().fencingToken()).isEqualTo(lease.fencingToken());
    }

    @Test
    void aReleasedLeaseIsNeverReportedAsLost() throws Exception {
        String name = name();
        Lease lease = lock(client(), name, renewedSoon()).acquire();
        Queue<LossEvent> losses = listenTo(lease);
        lease.close();
        Lease later = lock(client(), name, unrenewed(400)).acquire();
        await().until(() -> !later.isHeld());
        assertThat(losses).isEmpty();
    }

    @Test
    void theAcquiringThreadIsInterruptedOnLossIfTheOptionIsSet() throws Exception {
        String name = name();
        DistributedLock lock = lock(
                client(), name, renewedSoon().toBuilder().interruptOnLoss(true).build());
        CountDownLatch held = new CountDownLatch(1);
        CompletableFuture<Boolean> worker = inThread(() -> {
            Lease lease = lock.acquire();
            held.countDown();
            try {
                new CountDownLatch(1).await();
                return false;
            } catch (InterruptedException e) {
                return !lease.isHeld();
            }
        });
        assertThat(held.await(1, TimeUnit.MINUTES)).isTrue();
        delete(key(name));
        assertThat(worker.get(1, TimeUnit.MINUTES)).isTrue();
    }

    private HolderProcess holderProcess(String name) {
        Duration lease = Duration.ofSeconds(3);
        return retainFor() == null
                ? HolderProcess.start(address(), name, lease)
                : HolderProcess.startRetaining(address(), name, lease);
    }

    @Test
    void aLockWhoseHolderWasKilledIsFreeAfterItsLease() throws Exception {
        String name = name();
        try (HolderProcess holder = holderProcess(name)) {
            long token = holder.token();
            assertThat(lock(client(), name).tryAcquire()).isEmpty();
            holder.kill();
            try (Lease next = lock(client(), name, renewedSoon()).acquire(LIMIT)) {
                assertThat(next.fencingToken()).isGreaterThan(token);
            }
        }
    }

    @Test
    void aHolderThatWasFrozenForLongerThanItsLeaseLearnsThatItIsLost() throws Exception {
        // hazard 1: a pause longer than the lease after the acquire.
        String name = name();
        try (HolderProcess holder = holderProcess(name)) {
            long token = holder.token();
            holder.freeze();
            Lease next = lock(client(), name, renewedSoon()).acquire(LIMIT);
            assertThat(next.fencingToken()).isGreaterThan(token);
            holder.thaw();
            assertThat(holder.ask("held")).isEqualTo("held false");
            assertThat(holder.ask("losses")).isEqualTo("losses 1");
            assertThat(holder.ask("release")).startsWith("release LeaseLostException");
            next.ensureHeld();
            next.close();
        }
    }

    @Test
    void aGrantAnsweredAfterTheLeaseIsNoGrantAndIsReleased() throws Exception {
        // hazard 2: the lease must be counted from before the request was sent, not from the reply.
        String name = name();
        List<FaultProxy> proxies = proxies();
        // The answer is late, and not given up.
        DistributedLock lock =
                lock(client(uri(proxies), builder -> builder.commandTimeout(LIMIT)), name, unrenewed(1000));
        List<Fault> held = proxies.stream()
                .map(proxy ->
                        proxy.matching(request -> request.contains(key(name))).holdReplies())
                .toList();
        CompletableFuture<Optional<Lease>> trying = inThread(lock::tryAcquire);
        await().until(() -> holds(name) == 1);
        long token = Long.parseLong(field(name, "last"));
        // A quorum may have given this try up by now: the end of its hold cannot be read any more, but was no later.
        long end = serverMicros() + 1_000_000;
        await().until(() -> serverMicros() > end);
        held.forEach(Fault::cancel);
        proxies.forEach(FaultProxy::releaseReplies);
        Lease lease = trying.get(1, TimeUnit.MINUTES).orElseThrow();
        assertThat(lease.fencingToken()).as("granted by a second request").isGreaterThan(token);
        long left = holdEnd(name) - serverMicros();
        assertThat(lease.remaining().toNanos() / 1000).isLessThanOrEqualTo(Math.max(0, left));
        lease.close();
        isGivenBack(name);
    }

    @Test
    void aServerThatStoodStillForLongerThanTheLeaseCostsTheLeaseAndNothingIsTakenAgainSilently() throws Exception {
        // hazard 17: a stall longer than the lease; a renewal that finds no hold must not acquire again.
        String name = name();
        Leasehold leasehold = client(server().uri(), builder -> builder.commandTimeout(Duration.ofMillis(300)));
        Lease lease = lock(leasehold, name, lease(900)).acquire();
        Queue<LossEvent> losses = listenTo(lease);
        List<EmbeddedRedis> servers = servers(name);
        servers.forEach(EmbeddedRedis::pause);
        await().until(() -> !losses.isEmpty());
        assertThat(losses.peek().cause()).isEqualTo(LossCause.UNCONFIRMED);
        servers.forEach(EmbeddedRedis::resume);
        isGivenBack(name);
        assertThat(lease.isHeld()).isFalse();
        assertThat(losses).hasSize(1);
    }

    @Test
    void inABlackHoleTheLeaseIsLostAtTheDeadlineExactlyOnceAndTheHoldIsReleasedAfterwards() throws Exception {
        // hazards 8 and 42, finding 13: the last renewal may have been executed, so the name must not stay blocked.
        String name = name();
        List<FaultProxy> proxies = proxies();
        Leasehold leasehold = client(uri(proxies), builder -> {});
        Lease lease = lock(leasehold, name, lease(3000)).acquire();
        Queue<LossEvent> losses = listenTo(lease);
        assertThat(lease.extend(Duration.ofSeconds(1))).isTrue();
        proxies.forEach(proxy -> proxy.swallow(Direction.TO_CLIENT));
        await().until(() -> !losses.isEmpty());
        assertThat(losses.peek().cause()).isEqualTo(LossCause.UNCONFIRMED);
        assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeaseLostException.class);
        proxies.forEach(FaultProxy::heal);
        isGivenBack(name);
        assertThat(losses).hasSize(1);
    }

    @Test
    void aFlushUnderLoadIsReportedToEveryHolder() throws Exception {
        // hazard 20: FLUSHALL.
        Leasehold leasehold = client();
        String prefix = name();
        AtomicInteger losses = new AtomicInteger();
        // A lease that nothing refers to is not renewed, and reports nothing.
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            Lease lease = lock(leasehold, prefix + ":" + i, renewedSoon()).acquire();
            lease.onLost(event -> losses.incrementAndGet());
            leases.add(lease);
        }
        deleteAll();
        await().until(() -> losses.get() == 50);
        assertThat(leases).noneMatch(Lease::isHeld);
        for (int i = 0; i < 50; i++) {
            lock(leasehold, prefix + ":" + i).acquire(LIMIT).close();
        }
        assertThat(losses).hasValue(50);
    }

    @Test
    void anEvictedLockIsReportedToItsHolder() throws Exception {
        // hazard 18: eviction deletes live locks; the preflight refuses such a server.
        String name = name();
        List<EmbeddedRedis> servers = servers(name);
        servers.forEach(server -> {
            server.command("CONFIG", "SET", "maxmemory-policy", "allkeys-random");
            server.command("CONFIG", "SET", "maxmemory", "100mb");
        });
        try {
            assertThatThrownBy(() -> client(
                            server().uri(),
                            builder -> builder.preflight(dev.leasehold.LeaseholdBuilder.Preflight.REFUSE)))
                    .isInstanceOf(LockUnavailableException.class)
                    .hasMessageContaining("allkeys-random")
                    .hasMessageContaining("noeviction");
            Lease lease = lock(client(), name, renewedSoon()).acquire();
            Queue<LossEvent> losses = listenTo(lease);
            servers.forEach(server -> server.command("CONFIG", "SET", "maxmemory", "1"));
            await().until(() -> !losses.isEmpty());
            assertThat(losses.peek().cause()).isIn(LossCause.DELETED, LossCause.UNCONFIRMED);
        } finally {
            servers.forEach(server -> {
                server.command("CONFIG", "SET", "maxmemory", "0");
                server.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
            });
        }
    }
}
