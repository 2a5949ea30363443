package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.WaitStrategy;
import dev.leasehold.inspect.WaiterInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Waiting in the queue of a lock: one position for each client, one wake-up for each release, and no stranded
 * waiter.
 */
@Except(
        value = {
            Topology.TLS_AND_ACL,
            Topology.SENTINEL,
            Topology.CLUSTER,
            Topology.QUORUM_ONE_DEAD,
            Topology.QUORUM_ONE_FROZEN
        },
        because = "it tests the engine, which is the same on every topology")
class WaitingContract extends ContractBase {

    private static final LockOptions QUEUED = LockOptions.builder()
            .leaseTime(Duration.ofSeconds(20))
            .waitStrategy(WaitStrategy.woken())
            .build();

    private static DistributedLock queued(Leasehold client, String name) {
        return client.lock(name).with(QUEUED);
    }

    private long calls(String command) {
        String count = server().info("commandstats").getOrDefault("cmdstat_" + command, "calls=0,");
        return Long.parseLong(count.substring("calls=".length(), count.indexOf(',')));
    }

    /** Waits until a waiter that has just subscribed has asked once more. */
    private void untilNobodyAsks() {
        AtomicLong asked = new AtomicLong();
        await().during(Duration.ofMillis(300)).until(() -> asked.getAndSet(calls("evalsha")) == asked.get());
    }

    @Test
    void aReleaseWakesAWaiterOfAnotherClient() throws InterruptedException {
        String name = name();
        Lease held = queued(client(), name).acquire();
        CompletableFuture<Lease> waiter =
                queued(clientWithoutPolls(), name).acquireAsync().toCompletableFuture();
        untilWaiting(name, 1);
        untilNobodyAsks();
        held.release();
        await().until(waiter::isDone);
        assertThat(waiter.join().isHeld()).isTrue();
        assertThat(field(name, "wn")).isEqualTo("null");
        waiter.join().release();
    }

    @Test
    void inspectionShowsTheQueueOfALock() throws Exception {
        String name = name();
        try (Lease held = queued(client(), name).acquire()) {
            assertThat(held.isHeld()).isTrue();
            CompletableFuture<Lease> first =
                    queued(client(), name).ownedBy("order 17").acquireAsync().toCompletableFuture();
            untilWaiting(name, 1);
            CompletableFuture<Lease> second = client().readWriteLock(name)
                    .readLock()
                    .with(QUEUED)
                    .acquireAsync()
                    .toCompletableFuture();
            untilWaiting(name, 2);
            List<WaiterInfo> queue = client().lock(name).inspect().orElseThrow().waiters();
            assertThat(queue)
                    .extracting(WaiterInfo::position, WaiterInfo::wants, WaiterInfo::owner, WaiterInfo::alive)
                    .containsExactly(
                            tuple(1, WaiterInfo.Wants.LOCK, "order 17", true),
                            tuple(2, WaiterInfo.Wants.READ, null, true));
            assertThat(queue).allSatisfy(waiter -> {
                assertThat(waiter.pid()).isEqualTo(ProcessHandle.current().pid());
                assertThat(waiter.host()).isNotBlank();
                assertThat(waiter.since()).isNotNull();
            });
            assertThat(client().inspector().locks())
                    .filteredOn(lock -> lock.name().equals(name))
                    .singleElement()
                    .satisfies(lock -> assertThat(lock.waiters()).hasSize(2));
            first.cancel(false);
            second.cancel(false);
        }
    }

    @Test
    void theWaitersOfOneClientHaveOnePositionAndOneSubscriptionAndAreServedInOrder() throws InterruptedException {
        String name = name();
        server().resetStats();
        Leasehold client = client();
        Lease held = queued(client(), name).acquire();
        List<Integer> order = new ArrayList<>();
        List<CompletableFuture<Void>> waiters = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            int number = i;
            waiters.add(
                    queued(client, name).acquireAsync().toCompletableFuture().thenAccept(lease -> {
                        synchronized (order) {
                            order.add(number);
                        }
                        lease.releaseAsync();
                    }));
        }
        untilWaiting(name, 1);
        held.release();
        await().until(() -> waiters.stream().allMatch(CompletableFuture::isDone));
        assertThat(order).isSorted().hasSize(20);
        // One of the waiters, and one of the client that held the lock.
        await().until(() -> calls("subscribe") == 2);
    }

    @Test
    void aWaiterThatGivesUpLeavesTheQueue() throws InterruptedException {
        String name = name();
        Lease held = queued(client(), name).acquire();
        DistributedLock theirs = queued(client(), name);
        assertThat(outOfDoubt(() -> theirs.tryAcquire(Duration.ofMillis(300)))).isEmpty();
        await().until(() -> field(name, "wn").equals("null"));
        held.release();
    }

    @Test
    void aWaiterThatIsCancelledLeavesTheQueueAndTheNextIsWoken() throws InterruptedException {
        String name = name();
        Lease held = queued(client(), name).acquire();
        CompletableFuture<Lease> first = queued(client(), name).acquireAsync().toCompletableFuture();
        untilWaiting(name, 1);
        CompletableFuture<Lease> second =
                queued(clientWithoutPolls(), name).acquireAsync().toCompletableFuture();
        untilWaiting(name, 2);
        first.cancel(false);
        untilWaiting(name, 1);
        untilNobodyAsks();
        held.release();
        await().until(second::isDone);
        second.join().release();
    }

    @Test
    void aSingleAttemptTakesNoPosition() throws InterruptedException {
        String name = name();
        Lease held = queued(client(), name).acquire();
        assertThat(queued(client(), name).tryAcquire()).isEmpty();
        assertThat(field(name, "wn")).isEqualTo("null");
        held.release();
    }

    @Test
    void aLockOfADeadHolderIsAcquiredWhenItsLeaseEndsThoughNoWaiterIsWoken() throws InterruptedException {
        String name = name();
        queued(client(), name).acquire();
        CompletableFuture<Lease> waiter = queued(client(), name).acquireAsync().toCompletableFuture();
        untilWaiting(name, 1);
        endHold(name);
        await().until(waiter::isDone);
        waiter.join().release();
    }

    @Test
    void killedSubscriptionsStrandNoWaiter() throws InterruptedException {
        String name = name();
        Leasehold one = client();
        Leasehold two = client();
        AtomicInteger served = new AtomicInteger();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            all.add(queued(i % 2 == 0 ? one : two, name)
                    .acquireAsync()
                    .toCompletableFuture()
                    .thenCompose(lease -> {
                        served.incrementAndGet();
                        server().command("CLIENT", "KILL", "TYPE", "pubsub");
                        return lease.releaseAsync().toCompletableFuture();
                    }));
        }
        await().until(() -> all.stream().allMatch(CompletableFuture::isDone));
        assertThat(served).hasValue(40);
    }

    /**
     * Acquires repeatedly. Each attempt waits at most twice as long as the poll that finds a lost wake-up takes: a
     * longer wait means a stranded waiter.
     */
    private static boolean locksUntil(long end, DistributedLock lock, AtomicInteger served)
            throws InterruptedException {
        while (System.nanoTime() - end < 0) {
            try (Lease lease = lock.acquire(Duration.ofSeconds(12))) {
                lease.ensureHeld();
                served.incrementAndGet();
            }
        }
        return true;
    }

    @Test
    @Tag("full")
    void subscriptionsThatAreKilledForHalfAMinuteStrandNoWaiter() throws Exception {
        String name = name();
        AtomicInteger served = new AtomicInteger();
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        List<CompletableFuture<Boolean>> all = new ArrayList<>();
        for (int c = 0; c < 3; c++) {
            Leasehold client = client();
            for (int t = 0; t < 3; t++) {
                all.add(inThread(() -> locksUntil(end, queued(client, name), served)));
            }
        }
        await().atMost(Duration.ofMinutes(1))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> {
                    server().command("CLIENT", "KILL", "TYPE", "pubsub");
                    return System.nanoTime() - end >= 0 || all.stream().anyMatch(CompletableFuture::isDone);
                });
        for (CompletableFuture<Boolean> each : all) {
            assertThat(each.get(1, TimeUnit.MINUTES)).isTrue();
        }
        assertThat(served).hasValueGreaterThanOrEqualTo(all.size());
    }

    @Test
    @Tag("long")
    void ofSixtyThatWaitFiftyAreKilledAndTheOthersAreServed() throws InterruptedException {
        String name = name();
        Lease held = queued(client(), name).acquire();
        List<ChildJvm> doomed = new ArrayList<>();
        try {
            for (int i = 0; i < 2; i++) {
                doomed.add(WaitersProcess.start(address(), name, 25));
            }
            untilWaiting(name, 50);
            List<CompletableFuture<Void>> living = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                living.add(queued(client(), name)
                        .acquireAsync()
                        .thenCompose(Lease::releaseAsync)
                        .toCompletableFuture());
            }
            untilWaiting(name, 60);
            for (ChildJvm jvm : doomed) {
                jvm.kill();
            }
            held.release();
            await().until(() -> living.stream().allMatch(CompletableFuture::isDone));
            assertThat(living).allSatisfy(waiter -> assertThat(waiter).isCompleted());
        } finally {
            doomed.forEach(ChildJvm::close);
        }
    }

    @Test
    void aFrozenHeadExcludesNoWaiterAndContinuesWhenItThaws() throws Exception {
        String name = name();
        Lease held = queued(client(), name).acquire();
        try (ChildJvm frozen = WaitersProcess.start(address(), name, 1)) {
            untilWaiting(name, 1);
            CompletableFuture<Lease> next =
                    queued(client(), name).acquireAsync().toCompletableFuture();
            untilWaiting(name, 2);
            frozen.freeze();
            held.release();
            await().until(next::isDone);
            assertThat(next.join().isHeld()).isTrue();
            frozen.thaw();
            next.join().release();
            await().until(() -> frozen.ask("served").equals("served 1"));
        }
    }

    @Test
    void manyWaitersOfManyClientsOverlapNever() throws InterruptedException {
        String name = name();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int c = 0; c < 4; c++) {
            Leasehold client = client();
            for (int i = 0; i < 50; i++) {
                all.add(queued(client, name)
                        .acquireAsync()
                        .toCompletableFuture()
                        .thenCompose(lease -> {
                            if (inside.incrementAndGet() != 1) {
                                overlaps.incrementAndGet();
                            }
                            inside.decrementAndGet();
                            return lease.releaseAsync().toCompletableFuture();
                        }));
            }
        }
        await().until(() -> all.stream().allMatch(CompletableFuture::isDone));
        assertThat(overlaps).hasValue(0);
        await().until(() -> field(name, "wn").equals("null"));
    }
}
