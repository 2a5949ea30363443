package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.OwnedLock;
import dev.leasehold.WaitStrategy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Fair locks: granted strictly in the order in which Redis registered the waiters of all clients. */
@Except(
        value = {Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "its servers see the waiters in different orders")
class FairLockContract extends ContractBase {

    private static final LockOptions OPTIONS =
            LockOptions.builder().leaseTime(Duration.ofSeconds(20)).build();

    private static DistributedLock fair(Leasehold client, String name) {
        return client.fairLock(name).with(OPTIONS);
    }

    private static void untilDone(List<? extends CompletableFuture<?>> all) {
        await().until(() -> all.stream().allMatch(CompletableFuture::isDone));
        assertThat(all).allSatisfy(one -> assertThat(one).isCompleted());
    }

    /** Waits for the lock, records its turn, and releases it. */
    private static CompletableFuture<Void> takesItsTurn(
            Leasehold client, String name, int number, List<Integer> turns) {
        return fair(client, name)
                .acquireAsync()
                .thenCompose(lease -> {
                    turns.add(number);
                    return lease.releaseAsync();
                })
                .toCompletableFuture();
    }

    @Test
    void waitersOfSeveralClientsAreServedInTheOrderOfTheirRegistration() throws InterruptedException {
        String name = name();
        List<Leasehold> clients = List.of(client(), client(), client());
        List<Integer> turns = Collections.synchronizedList(new ArrayList<>());
        List<CompletableFuture<Void>> waiters = new ArrayList<>();
        Lease held = fair(client(), name).acquire();
        for (int i = 0; i < 30; i++) {
            // In an irregular order, so that the order of the clients is not that of the waiters.
            waiters.add(takesItsTurn(clients.get(i * i % 7 % 3), name, i, turns));
            untilWaiting(name, i + 1);
        }
        held.release();
        untilDone(waiters);
        assertThat(turns).isSorted().hasSize(30);
        assertThat(field(name, "qf")).isEqualTo("null");
    }

    @Test
    void aWaiterThatReturnsGoesToTheEnd() throws InterruptedException {
        String name = name();
        Leasehold hot = client();
        List<Integer> turns = Collections.synchronizedList(new ArrayList<>());
        Lease held = fair(hot, name).acquire();
        CompletableFuture<Void> other = takesItsTurn(client(), name, 1, turns);
        untilWaiting(name, 1);
        CompletableFuture<Void> again = takesItsTurn(hot, name, 2, turns);
        untilWaiting(name, 2);
        held.release();
        untilDone(List.of(other, again));
        assertThat(turns).containsExactly(1, 2);
    }

    @Test
    void aSingleAttemptIsRefusedWhileOthersWaitThoughTheLockIsFree() throws Exception {
        String name = name();
        Lease held = fair(client(), name).acquire();
        try (ChildJvm frozen = WaitersProcess.startFair(address(), name, 1)) {
            DistributedLock fair = fair(client(), name);
            DistributedLock other = client().lock(name);
            untilWaiting(name, 1);
            frozen.freeze();
            held.release();
            assertThat(fair.tryAcquire()).isEmpty();
            assertThat(other.tryAcquire()).isEmpty();
        }
        assertThat(fair(client(), name()).tryAcquire()).isPresent();
    }

    @Test
    void aHeadThatGivesUpPassesTheTurnOn() throws InterruptedException {
        String name = name();
        List<Integer> turns = Collections.synchronizedList(new ArrayList<>());
        Lease held = fair(client(), name).acquire();
        CompletableFuture<Lease> head = fair(client(), name).acquireAsync().toCompletableFuture();
        untilWaiting(name, 1);
        CompletableFuture<Void> next = takesItsTurn(client(), name, 1, turns);
        untilWaiting(name, 2);
        head.cancel(false);
        untilWaiting(name, 1);
        held.release();
        untilDone(List.of(next));
    }

    @Test
    void aWaitThatTimesOutLeavesNothing() throws InterruptedException {
        String name = name();
        Lease held = fair(client(), name).acquire();
        DistributedLock theirs = fair(client(), name);
        assertThat(outOfDoubt(() -> theirs.tryAcquire(Duration.ofMillis(300)))).isEmpty();
        await().until(() -> field(name, "wn").equals("null"));
        held.release();
        assertThat(fair(client(), name).tryAcquire()).isPresent();
    }

    @Test
    @Tag("long")
    void ofSixtyThatWaitFiftyAreKilledAndTheOthersAreServedInOrder() throws InterruptedException {
        String name = name();
        List<Integer> turns = Collections.synchronizedList(new ArrayList<>());
        List<CompletableFuture<Void>> living = new ArrayList<>();
        Lease held = fair(client(), name).acquire();
        try (ChildJvm doomed = WaitersProcess.startFair(address(), name, 50)) {
            untilWaiting(name, 50);
            for (int i = 0; i < 10; i++) {
                living.add(takesItsTurn(client(), name, i, turns));
                untilWaiting(name, 51 + i);
            }
            doomed.kill();
            held.release();
            untilDone(living);
            assertThat(turns).isSorted().hasSize(10);
        }
    }

    @Test
    void aFrozenHeadDelaysTheOthersAndContinuesAtTheEndWhenItThaws() throws Exception {
        String name = name();
        Lease held = fair(client(), name).acquire();
        try (ChildJvm frozen = WaitersProcess.startFair(address(), name, 1)) {
            untilWaiting(name, 1);
            CompletableFuture<Lease> next = fair(client(), name).acquireAsync().toCompletableFuture();
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
    void killedSubscriptionsStrandNoWaiter() throws InterruptedException {
        String name = name();
        List<Leasehold> clients = List.of(client(), client());
        Lease held = fair(client(), name).acquire();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            all.add(fair(clients.get(i % 2), name)
                    .acquireAsync()
                    .thenCompose(lease -> {
                        server().command("CLIENT", "KILL", "TYPE", "pubsub");
                        return lease.releaseAsync();
                    })
                    .toCompletableFuture());
        }
        untilWaiting(name, 20);
        held.release();
        untilDone(all);
    }

    @Test
    void aNamedOwnerAcquiresReentrantlyPastTheWaiters() throws InterruptedException {
        String name = name();
        OwnedLock own = client().fairLock(name).ownedBy("order-17");
        Lease first = own.acquire();
        CompletableFuture<Lease> other = fair(client(), name).acquireAsync().toCompletableFuture();
        untilWaiting(name, 1);
        try (Lease second = own.acquire()) {
            assertThat(second.fencingToken()).isEqualTo(first.fencingToken());
        }
        assertThat(other).isNotDone();
        first.release();
        await().until(other::isDone);
        other.join().release();
    }

    @Test
    void waitersOfOneClientAreServedFairlyAmongTheWaitersOfOthers() throws InterruptedException {
        String name = name();
        Leasehold many = client();
        List<Integer> turns = Collections.synchronizedList(new ArrayList<>());
        List<CompletableFuture<Void>> waiters = new ArrayList<>();
        Lease held = fair(many, name).acquire();
        waiters.add(takesItsTurn(many, name, 0, turns));
        untilWaiting(name, 1);
        waiters.add(takesItsTurn(client(), name, 1, turns));
        untilWaiting(name, 2);
        waiters.add(takesItsTurn(many, name, 2, turns));
        untilWaiting(name, 3);
        held.release();
        untilDone(waiters);
        assertThat(turns).containsExactly(0, 1, 2);
    }

    @Test
    void pollingIsRefusedForFairLocksWithAnExplanation() {
        LockOptions polling =
                LockOptions.builder().waitStrategy(WaitStrategy.polling()).build();
        DistributedLock lock = client().fairLock(name());
        assertThatThrownBy(() -> lock.with(polling))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("WaitStrategy.woken()");
        assertThatThrownBy(() -> lock.ownedBy("me").with(polling)).isInstanceOf(IllegalArgumentException.class);
    }
}
