package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.OwnedLock;
import dev.leasehold.Renewal;
import dev.leasehold.event.HeldLongEvent;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.RenewedEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * A client hands a lock off to its own waiters without a request to Redis, in short runs: faster, and otherwise as
 * if each acquisition had passed through Redis. The id of the hold in Redis shows whether the lock was handed off.
 */
@Except(
        value = {Topology.TLS_AND_ACL, Topology.SENTINEL, Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "it tests the engine, which is the same on every topology")
class HandOffContract extends WiredBase {

    private static LockOptions options(long leaseMillis, Renewal renewal) {
        return LockOptions.builder()
                .leaseTime(Duration.ofMillis(leaseMillis))
                .renewal(renewal)
                .build();
    }

    private long scripts() {
        return server().commandCounts().getOrDefault("evalsha", 0L);
    }

    @Test
    void theWaitersOfAClientAreServedWithoutARequestForEach() throws Exception {
        int waiters = 300;
        String name = name();
        Leasehold client = client();
        Lease held = lock(client, name).acquire();
        List<Long> tokens = Collections.synchronizedList(new ArrayList<>(List.of(held.fencingToken())));
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < waiters; i++) {
            all.add(waiter(lock(client, name)).thenCompose(lease -> {
                overlaps.addAndGet(inside.incrementAndGet() - 1);
                tokens.add(lease.fencingToken());
                inside.decrementAndGet();
                return lease.releaseAsync();
            }));
        }
        untilWaiting(name, 1);
        server().resetStats();
        long begun = System.nanoTime();
        held.release();
        await().until(() -> all.stream().allMatch(CompletableFuture::isDone));
        isGivenBack(name);
        long runs = Duration.ofNanos(System.nanoTime() - begun).toMillis() / 20 + 1;
        assertThat(all).allSatisfy(each -> assertThat(each).isCompleted());
        assertThat(overlaps).hasValue(0);
        assertThat(tokens).hasSize(waiters + 1).isSorted().doesNotHaveDuplicates();
        // One request for each run, however slow the machine is, and few besides. Without hand-off, each waiter
        // would poll and release.
        assertThat(scripts()).isLessThanOrEqualTo(Math.min(runs, waiters) + 8);
    }

    @Test
    void eachLeaseOfARunHasItsOwnOwnerAndTokenAndNoMoreTimeThanTheHold() throws Exception {
        // On a busy machine the holds may end before they can be compared.
        await().until(() -> comparedLeasesOfOneHold() > 0);
    }

    private int comparedLeasesOfOneHold() throws Exception {
        int compared = 0;
        String name = name();
        DistributedLock lock = lock(client(), name, options(3_000, Renewal.whileHeld()));
        Lease lease = lock.acquire();
        List<CompletableFuture<Lease>> waiters = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            waiters.add(waiter(lock));
        }
        for (CompletableFuture<Lease> next : waiters) {
            Lease before = lease;
            String hold = holdId(name);
            // Well below the time of a run, so that most follow without a request.
            long until = serverMicros() + 2_000;
            await().pollInterval(Duration.ofMillis(1)).until(() -> serverMicros() > until);
            before.releaseAsync();
            lease = granted(next);
            assertThat(lease.fencingToken()).isGreaterThan(before.fencingToken());
            assertThat(lease.owner()).isNotEqualTo(before.owner());
            assertThat(before.isHeld()).isFalse();
            long now = serverMicros();
            Duration remaining = lease.remaining();
            // A hold that ended meanwhile has no end to compare with; its remaining time is zero too.
            if (!remaining.isZero() && holds(name) == 1) {
                assertThat(remaining.toNanos() / 1000).isLessThanOrEqualTo(holdEnd(name) - now);
                compared += holdId(name).equals(hold) ? 1 : 0;
            }
        }
        lease.releaseAsync();
        isGivenBack(name);
        return compared;
    }

    /**
     * Tries until a lock was handed off: a waiter that is polling is not handed it. A client whose requests may arrive twice hands
     * nothing off.
     */
    private void untilHandedOff(Callable<Boolean> attempt) throws Exception {
        if (sendsAtMostOnce()) {
            await().until(attempt);
        } else {
            assertThat(attempt.call()).isFalse();
        }
    }

    @Test
    void aLossIsReportedToTheLeaseThatHasTheHoldAndToNoOther() throws Exception {
        untilHandedOff(this::losesTheLockThatWasHandedOff);
    }

    /** Returns false, and tests nothing, if the lock was not handed off. */
    private boolean losesTheLockThatWasHandedOff() throws Exception {
        String name = name();
        Wiretap wire = wire();
        DistributedLock lock = lock(client(wire, builder -> {}), name, options(20_000, Renewal.afterRatio(0.05)));
        Lease first = lock.acquire();
        CompletableFuture<Lease> next = waiter(lock);
        untilWaiting(name, 1);
        String hold = holdId(name);
        CompletableFuture<List<String>> answer = new CompletableFuture<>();
        AtomicInteger renewals = new AtomicInteger();
        wire.all((call, go) -> {
            if (!call.script().name().equals("renew")) {
                return go.get();
            }
            return renewals.incrementAndGet() == 1 ? answer.thenCompose(now -> go.get()) : Wiretap.lost();
        });
        Queue<LossEvent> firstLost = new ConcurrentLinkedQueue<>();
        first.onLost(firstLost::add);
        await().until(() -> renewals.get() == 1);
        first.release();
        Lease second = granted(next);
        if (!holdId(name).equals(hold)) {
            return false;
        }
        Queue<LossEvent> secondLost = new ConcurrentLinkedQueue<>();
        second.onLost(secondLost::add);
        server().command("DEL", key(name));
        // The answer to the renewal of the first hold, which is over.
        answer.complete(List.of());
        await().until(() -> !secondLost.isEmpty());
        assertThat(secondLost).hasSize(1);
        assertThat(secondLost.peek().cause()).isEqualTo(LossCause.DELETED);
        assertThat(secondLost.peek().fencingToken()).isEqualTo(second.fencingToken());
        assertThat(second.isHeld()).isFalse();
        assertThat(firstLost).isEmpty();
        return true;
    }

    @Test
    void aLossInterruptsTheThreadThatWasHandedTheLockAndNoOther() throws Exception {
        untilHandedOff(this::interruptsTheThreadThatWasHandedTheLock);
    }

    /** Returns false if the lock was not handed off. */
    private boolean interruptsTheThreadThatWasHandedTheLock() throws Exception {
        String name = name();
        LockOptions interrupted = options(20_000, Renewal.afterRatio(0.02)).toBuilder()
                .interruptOnLoss(true)
                .build();
        DistributedLock lock = lock(client(), name, interrupted);
        Lease first = lock.acquire();
        String hold = holdId(name);
        CompletableFuture<Lease> handed = new CompletableFuture<>();
        CompletableFuture<Boolean> next = inThread(() -> {
            try (Lease lease = lock.acquire()) {
                handed.complete(lease);
                new CompletableFuture<>().get();
                return false;
            } catch (InterruptedException expected) {
                return true;
            }
        });
        untilWaiting(name, 1);
        first.release();
        granted(handed);
        boolean same = holdId(name).equals(hold);
        assertThat(client().lock(name).forceRelease()).isTrue();
        await().until(next::isDone);
        assertThat(next).isCompletedWithValue(true);
        assertThat(Thread.interrupted()).isFalse();
        return same;
    }

    private boolean handsOff(DistributedLock lock, LockOptions next) throws InterruptedException {
        return handsOff(lock, lock.acquire(), waiter(lock.with(next)), false);
    }

    /** Returns whether the lock was handed off; both leases are released. */
    private boolean handsOff(DistributedLock lock, Lease held, CompletableFuture<Lease> next, boolean extended) {
        String name = lock.name();
        untilWaiting(name, 1);
        String hold = holdId(name);
        if (extended) {
            assertThat(held.extend(Duration.ofMinutes(1))).isTrue();
        }
        held.release();
        Lease after = granted(next);
        boolean same = holdId(name).equals(hold);
        assertThat(after.fencingToken()).isGreaterThan(held.fencingToken());
        after.release();
        isGivenBack(name);
        return same;
    }

    private String holdId(String name) {
        return list(server().command("HKEYS", key(name))).stream()
                .map(Object::toString)
                .filter(each -> each.startsWith("h:"))
                .findFirst()
                .orElse("none");
    }

    @Test
    void onlyLeasesThatAreAlikeAreHandedOff() throws Exception {
        Leasehold client = client();
        LockOptions shorter = options(29_000, Renewal.whileHeld());
        LockOptions renewedOnce = options(30_000, Renewal.whileHeld().atMost(1));
        untilHandedOff(() -> handsOff(lock(client, name()), retaining(LockOptions.defaults())));
        assertThat(handsOff(lock(client, name()), retaining(shorter))).isFalse();
        assertThat(handsOff(lock(client, name()), renewedOnce)).isFalse();
        DistributedLock lock = lock(client, name());
        assertThat(handsOff(lock, lock.acquire(), waiter(lock), true)).isFalse();
        OwnedLock named = client.lock(lock.name()).ownedBy("order-17");
        assertThat(handsOff(lock, lock.acquire(), named.acquireAsync().toCompletableFuture(), false))
                .isFalse();
        assertThat(handsOff(lock, named.acquire(), waiter(lock), false)).isFalse();
    }

    @Test
    void aLeaseThatIsNotRenewedIsHandedOffWithNearlyItsFullTime() throws Exception {
        String name = name();
        DistributedLock lock = lock(client(), name, options(10_000, Renewal.none()));
        Lease lease = lock.acquire();
        List<CompletableFuture<Lease>> waiters = List.of(waiter(lock), waiter(lock), waiter(lock), waiter(lock));
        untilWaiting(name, 1);
        String hold = "";
        for (CompletableFuture<Lease> next : waiters) {
            long released = serverMicros();
            lease.release();
            lease = granted(next);
            assertThat(holdEnd(name)).isGreaterThanOrEqualTo(released + 10_000_000);
            // The first may be polling; the waiters behind it are certainly handed the lock.
            String before = hold;
            hold = holdId(name);
            if (next != waiters.get(0)) {
                assertThat(hold).isEqualTo(before);
            }
        }
        lease.release();
    }

    @Test
    void theMaximumHoldCountsForEachLease() throws Exception {
        String name = name();
        Duration maximum = Duration.ofSeconds(1);
        Queue<HeldLongEvent> events = new ConcurrentLinkedQueue<>();
        LeaseholdListener listener = new LeaseholdListener() {
            @Override
            public void heldLong(HeldLongEvent event) {
                events.add(event);
            }
        };
        LockOptions limited = options(20_000, Renewal.afterRatio(0.02)).toBuilder()
                .maxHold(maximum)
                .build();
        DistributedLock lock = lock(client(server().uri(), builder -> builder.listener(listener)), name, limited);
        Lease first = lock.acquire();
        CompletableFuture<Lease> next = waiter(lock);
        untilWaiting(name, 1);
        long half = serverMicros() + 500_000;
        await().until(() -> serverMicros() > half);
        long begun = System.nanoTime();
        first.release();
        // By a hand-off, unless the waiter was just asking Redis.
        Lease second = granted(next);
        await().until(() -> events.stream().anyMatch(event -> event.owner().equals(second.owner())));
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(maximum);
        second.release();
    }

    @Test
    void theNumberOfRenewalsCountsForEachLease() throws Exception {
        String name = name();
        Queue<String> renewed = new ConcurrentLinkedQueue<>();
        LeaseholdListener listener = new LeaseholdListener() {
            @Override
            public void renewed(RenewedEvent event) {
                renewed.add(event.owner());
            }
        };
        DistributedLock lock = lock(
                client(server().uri(), builder -> builder.listener(listener)),
                name,
                options(20_000, Renewal.afterRatio(0.02).atMost(1)));
        untilHandedOff(() -> {
            Lease first = lock.acquire();
            CompletableFuture<Lease> next = waiter(lock);
            untilWaiting(name, 1);
            String hold = holdId(name);
            await().until(() -> renewed.contains(first.owner()));
            first.release();
            Lease second = granted(next);
            boolean handedOff = holdId(name).equals(hold);
            await().until(() -> renewed.contains(second.owner()));
            second.release();
            return handedOff;
        });
    }
}
