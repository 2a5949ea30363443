package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * The ends of a run of hand-offs: by force, with the client, with Redis. No lock stays held, and no caller waits
 * for ever.
 */
@Except(
        value = {Topology.TLS_AND_ACL, Topology.SENTINEL, Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "it tests the engine, which is the same on every topology")
class HandOffEndContract extends LockBase {

    private static LockOptions woken(long leaseMillis) {
        return LockOptions.builder().leaseTime(Duration.ofMillis(leaseMillis)).build();
    }

    @Test
    void aForcedReleaseDuringARunTakesOneLeaseAndTheOthersGoThroughRedis() throws Exception {
        String name = name();
        DistributedLock lock = lock(client(), name, woken(6000));
        Lease held = lock.acquire();
        List<CompletableFuture<Lease>> waiters = List.of(waiter(lock), waiter(lock), waiter(lock));
        untilWaiting(name, 1);
        held.release();
        Lease handed = granted(waiters.get(0));
        Queue<LossEvent> losses = new ConcurrentLinkedQueue<>();
        handed.onLost(losses::add);
        assertThat(lock(client(), name).forceRelease()).isTrue();
        Lease second = granted(waiters.get(1));
        second.onLost(losses::add);
        assertThat(field(name, "own")).isNotEqualTo("null");
        assertThat(second.fencingToken()).isGreaterThan(handed.fencingToken());
        second.release();
        Lease third = granted(waiters.get(2));
        third.ensureHeld();
        third.release();
        await().until(() -> !losses.isEmpty());
        assertThat(losses).singleElement().satisfies(loss -> {
            assertThat(loss.fencingToken()).isEqualTo(handed.fencingToken());
            assertThat(loss.cause()).isIn(LossCause.DELETED, LossCause.TAKEN_OVER);
        });
        isGivenBack(name);
    }

    @Test
    void closingTheClientDuringARunLeavesNothingHeld() throws Exception {
        Leasehold another = client();
        for (int round = 0; round < 30; round++) {
            String name = name();
            Leasehold closing = client();
            DistributedLock lock = lock(closing, name);
            AtomicInteger leases = new AtomicInteger();
            AtomicBoolean ending = new AtomicBoolean();
            List<CompletableFuture<Lease>> threads = new ArrayList<>();
            for (int t = 0; t < 8; t++) {
                threads.add(inThread(() -> passOn(lock, leases, ending)));
            }
            soon().until(() -> leases.get() > 100);
            ending.set(true);
            closing.close();
            assertThat(holds(name)).isZero();
            for (CompletableFuture<Lease> thread : threads) {
                endsWithClient(thread);
            }
            lock(another, name).tryAcquire().orElseThrow().release();
        }
    }

    /** Acquires the lock repeatedly; a thread that acquires it while the client ends does not release it. */
    private static Lease passOn(DistributedLock lock, AtomicInteger leases, AtomicBoolean ending)
            throws InterruptedException {
        while (true) {
            Lease lease = lock.acquire();
            if (ending.get()) {
                return lease;
            }
            lease.release();
            leases.incrementAndGet();
        }
    }

    private static void endsWithClient(CompletableFuture<Lease> thread) throws Exception {
        try {
            assertThat(thread.get(1, TimeUnit.MINUTES).isHeld()).isFalse();
        } catch (ExecutionException e) {
            assertThat(e).hasCauseInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
        }
    }

    @Test
    void whenRedisDiesDuringARunTheLeaseIsLostAndTheWaitersFailInTime() throws Exception {
        String name = name();
        FaultProxy proxy = proxy();
        // Not used before: a lease over a retained hold has little time until it is renewed.
        DistributedLock lock = unusedLock(
                client(proxy.uri(), builder -> builder.commandTimeout(Duration.ofMillis(400))), name, woken(3000));
        Lease held = lock.acquire();
        CompletableFuture<Lease> first = waiter(lock);
        List<CompletableFuture<Lease>> others = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            others.add(lock.acquireAsync(Duration.ofSeconds(8)).toCompletableFuture());
        }
        untilWaiting(name, 1);
        held.release();
        Lease handed = granted(first);
        Queue<LossEvent> losses = new ConcurrentLinkedQueue<>();
        handed.onLost(losses::add);
        proxy.swallow();
        await().until(() -> losses.size() == 1);
        assertThat(losses.peek().cause()).isEqualTo(LossCause.UNCONFIRMED);
        assertThat(handed.isHeld()).isFalse();
        assertThat(handed.remaining()).isZero();
        for (CompletableFuture<Lease> other : others) {
            assertThatThrownBy(() -> other.get(1, TimeUnit.MINUTES)).hasCauseInstanceOf(LockUnavailableException.class);
        }
        proxy.heal();
        // Its connection may be established only after a while.
        await().ignoreExceptionsInstanceOf(LockUnavailableException.class)
                .untilAsserted(() -> assertThat(lock.inspect()).isEmpty());
    }
}
