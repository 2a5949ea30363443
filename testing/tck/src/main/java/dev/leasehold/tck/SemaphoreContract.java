package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.DistributedLock;
import dev.leasehold.DistributedSemaphore;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.PermitsMismatchException;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.RenewedEvent;
import dev.leasehold.inspect.LockInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Semaphores: never more leases than permits, each a lease of its own, and no starvation. */
@SuppressWarnings("LockNotBeforeTry") // these tests are about locks that stay held
@Except(
        value = {Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "each server counts for itself")
@Except(
        value = {Topology.TLS_AND_ACL, Topology.SENTINEL},
        because = "it takes long and does not differ from one server")
class SemaphoreContract extends ContractBase {

    private static final LockOptions WOKEN =
            LockOptions.builder().leaseTime(Duration.ofSeconds(20)).build();

    private static DistributedSemaphore three(Leasehold client, String name) {
        return client.semaphore(name, 3).with(WOKEN);
    }

    private static Lease taken(DistributedSemaphore semaphore) {
        return semaphore.tryAcquire().orElseThrow();
    }

    private static void assertTaken(DistributedSemaphore semaphore) {
        assertThat(semaphore.tryAcquire()).isEmpty();
    }

    private static CompletableFuture<Lease> waiter(DistributedSemaphore semaphore) {
        return semaphore.acquireAsync().toCompletableFuture();
    }

    @Test
    void asManyHoldAsThereArePermits() {
        String name = name();
        DistributedSemaphore here = three(client(), name);
        DistributedSemaphore remote = three(client(), name);
        Lease first = taken(here);
        taken(remote);
        taken(here);
        assertTaken(here);
        assertTaken(remote);
        first.close();
        assertThat(first.isHeld()).isFalse();
        taken(remote);
        assertTaken(here);
        assertThat(here.availablePermits()).isZero();
    }

    @Test
    void severalPermitsAreAllOrNoneAndAreReleasedTogether() {
        String name = name();
        DistributedSemaphore here = three(client(), name);
        DistributedSemaphore remote = three(client(), name);
        Lease two = taken(here.atOnce(2));
        assertTaken(remote.atOnce(2));
        assertThat(remote.availablePermits()).isEqualTo(1);
        Lease one = taken(remote);
        two.close();
        assertThat(remote.availablePermits()).isEqualTo(2);
        assertTaken(remote.atOnce(3));
        one.close();
        taken(remote.atOnce(3)).close();
        assertThat(holds(name)).isZero();
    }

    @Test
    void permitsAreRenewed() {
        String name = name();
        Map<String, AtomicInteger> renewals = new ConcurrentHashMap<>();
        Leasehold client = client(
                server().uri(),
                builder -> builder.listener(new LeaseholdListener() {
                    @Override
                    public void renewed(RenewedEvent event) {
                        renewals.computeIfAbsent(event.owner(), none -> new AtomicInteger())
                                .incrementAndGet();
                    }
                }));
        DistributedSemaphore semaphore = client.semaphore(name, 2).with(renewedSoon());
        List<Lease> held = List.of(taken(semaphore), taken(semaphore));
        await().until(() -> renewals.size() == 2 && renewals.values().stream().allMatch(times -> times.get() >= 2));
        assertTaken(client().semaphore(name, 2));
        assertThat(held).allSatisfy(Lease::ensureHeld);
    }

    @Test
    void thePermitsOfADeadProcessReturnWithItsLeaseAndTheOthersStay() throws Exception {
        // hazards 29 and 53: the end of one hold is not the end of another, and no permit is lost for ever.
        String name = name();
        Leasehold client = client();
        Lease own = taken(three(client, name));
        try (HolderProcess doomed = HolderProcess.startWithPermits(address(), name, Duration.ofSeconds(3), 2, 3)) {
            assertTaken(three(client, name));
            doomed.kill();
            CompletableFuture<Lease> next = waiter(three(client, name).atOnce(2));
            granted(next).ensureHeld();
        }
        own.ensureHeld();
        assertTaken(three(client, name));
    }

    @Test
    void aFrozenHolderLearnsThatItsPermitsWereLost() throws Exception {
        String name = name();
        try (HolderProcess frozen = HolderProcess.startWithPermits(address(), name, Duration.ofSeconds(3), 1, 1)) {
            frozen.freeze();
            Lease next = granted(waiter(client().semaphore(name, 1).with(WOKEN)));
            frozen.thaw();
            assertThat(frozen.ask("losses")).isEqualTo("losses 1");
            assertThat(frozen.ask("held")).isEqualTo("held false");
            next.ensureHeld();
        }
    }

    @Test
    void neverDoMoreHoldThanThereArePermits() throws Exception {
        String name = name();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger rounds = new AtomicInteger();
        List<CompletableFuture<Boolean>> workers = new ArrayList<>();
        for (int c = 0; c < 3; c++) {
            DistributedSemaphore semaphore = client().semaphore(name, 4).with(WOKEN);
            for (int t = 0; t < 4; t++) {
                int permits = 1 + (c + t) % 3;
                workers.add(inThread(() -> {
                    for (int i = 0; i < 25; i++) {
                        try (Lease lease = semaphore.atOnce(permits).acquire()) {
                            most.accumulateAndGet(inside.addAndGet(permits), Math::max);
                            lease.ensureHeld();
                            Thread.onSpinWait();
                            inside.addAndGet(-permits);
                        }
                        rounds.incrementAndGet();
                    }
                    return true;
                }));
            }
        }
        for (CompletableFuture<Boolean> worker : workers) {
            assertThat(worker.get(60, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(rounds).hasValue(12 * 25);
        // Also that they are held concurrently.
        assertThat(most.get()).isBetween(2, 4);
        assertThat(client().semaphore(name, 4).availablePermits()).isEqualTo(4);
        await().until(() -> field(name, "wn").equals("null"));
    }

    /** One poll for each, and at most one for a wake-up without success. A lease that is held for a while is checked once. */
    @Test
    void aWaiterIsWokenWhenAPermitIsReleased() {
        await().until(() -> requestsUntilWoken() <= 2 + 2 * 3);
    }

    private long requestsUntilWoken() {
        String name = name();
        Leasehold client = client();
        List<Lease> held =
                List.of(taken(three(client, name)), taken(three(client, name).atOnce(2)));
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiting.add(waiter(three(clientWithoutPolls(), name)));
        }
        untilWaiting(name, 3);
        server().resetStats();
        held.get(1).close();
        soon().until(() -> waiting.stream().filter(CompletableFuture::isDone).count() == 2);
        held.get(0).close();
        List<Lease> granted = waiting.stream().map(waiter -> granted(waiter)).toList();
        long requests = server().commandCounts().getOrDefault("evalsha", 0L);
        granted.forEach(Lease::ensureHeld);
        return requests;
    }

    @Test
    void aWaiterInTheSameProcessIsWokenToo() {
        String name = name();
        Leasehold client = clientWithoutPolls();
        Lease all = taken(three(client, name).atOnce(3));
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiting.add(waiter(three(client, name)));
        }
        untilWaiting(name, 1);
        all.close();
        waiting.forEach(waiter -> granted(waiter).ensureHeld());
        assertThat(holds(name)).isEqualTo(3);
    }

    @Test
    void aWaiterForManyPermitsIsNotStarvedByWaitersForFew() {
        String name = name();
        AtomicBoolean over = new AtomicBoolean();
        List<CompletableFuture<Boolean>> few = new ArrayList<>();
        AtomicInteger turns = new AtomicInteger();
        for (int c = 0; c < 3; c++) {
            DistributedSemaphore semaphore = three(client(), name);
            few.add(inThread(() -> {
                Lease own = semaphore.acquire();
                while (!over.get()) {
                    // Before the other is released: so there is never a moment in which all permits are free.
                    Lease next = oneMore(semaphore);
                    own.close();
                    turns.incrementAndGet();
                    own = next != null ? next : semaphore.acquire();
                }
                own.close();
                return true;
            }));
        }
        soon().until(() -> turns.get() > 20);
        DistributedSemaphore many = three(client(), name).atOnce(3);
        for (int i = 0; i < 3; i++) {
            granted(waiter(many)).close();
        }
        over.set(true);
        await().until(() -> few.stream().allMatch(CompletableFuture::isDone));
        assertThat(few).allSatisfy(each -> assertThat(each).isCompletedWithValue(true));
    }

    private static @Nullable Lease oneMore(DistributedSemaphore semaphore) throws InterruptedException {
        try {
            return semaphore.tryAcquire(Duration.ofMillis(100)).orElse(null);
        } catch (LockUnavailableException e) {
            // A busy machine has no answer in time, and a caller that threw here would keep its permits.
            return null;
        }
    }

    @Test
    void aFairRequestDoesNotOvertakeAWaiter() {
        String name = name();
        Leasehold client = client();
        Lease all = taken(three(client, name).fair().atOnce(3));
        ConcurrentLinkedQueue<Integer> order = new ConcurrentLinkedQueue<>();
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            int own = i;
            DistributedSemaphore semaphore =
                    three(i % 2 == 0 ? client : client(), name).fair();
            waiting.add(semaphore
                    .atOnce(3)
                    .acquireAsync()
                    .thenApply(lease -> {
                        order.add(own);
                        return lease;
                    })
                    .toCompletableFuture());
            untilWaiting(name, i + 1);
        }
        all.close();
        for (CompletableFuture<Lease> waiter : waiting) {
            Lease lease = granted(waiter);
            assertTaken(three(client, name).fair());
            lease.close();
        }
        assertThat(order).containsExactly(0, 1, 2, 3, 4, 5);
    }

    @Test
    void allFairWaitersWithAvailablePermitsAreServed() {
        String name = name();
        Leasehold client = client();
        Lease all = taken(three(client, name).fair().atOnce(3));
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            waiting.add(waiter(three(client, name).fair()));
            untilWaiting(name, i + 1);
        }
        all.close();
        for (CompletableFuture<Lease> waiter : waiting.subList(0, 3)) {
            granted(waiter).ensureHeld();
        }
        assertThat(waiting.get(3)).isNotDone();
        waiting.get(1).join().close();
        granted(waiting.get(3)).ensureHeld();
    }

    @Test
    void anotherNumberOfPermitsIsRefused() {
        String name = name();
        Lease own = taken(three(client(), name));
        DistributedSemaphore other = client().semaphore(name, 4);
        assertThatThrownBy(other::tryAcquire)
                .isInstanceOfSatisfying(PermitsMismatchException.class, e -> {
                    assertThat(e.permits()).isEqualTo(3);
                    assertThat(e.lockName()).isEqualTo(name);
                })
                .hasMessageContaining(name)
                .hasMessageContaining("3 permits, not 4")
                .hasMessageContaining("changePermits");
        assertThatThrownBy(other::acquire).isInstanceOf(PermitsMismatchException.class);
        assertThatThrownBy(other::availablePermits).isInstanceOf(PermitsMismatchException.class);
        CompletableFuture<Lease> async = waiter(other);
        await().until(async::isDone);
        assertThatThrownBy(async::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(PermitsMismatchException.class);
        assertThat(holds(name)).isEqualTo(1);
        own.ensureHeld();
    }

    @Test
    void morePermitsLetTheWaitersIn() {
        String name = name();
        Leasehold client = client();
        taken(three(client, name).atOnce(3));
        CompletableFuture<Lease> waiting = waiter(three(client(), name));
        untilWaiting(name, 1);
        assertThat(three(client, name).changePermits(4)).isEqualTo(3);
        granted(waiting).ensureHeld();
        assertTaken(three(client, name));
        assertThat(client.semaphore(name, 4).availablePermits()).isZero();
        assertTaken(client.semaphore(name, 17));
    }

    @Test
    void fewerPermitsEndNoHold() {
        String name = name();
        DistributedSemaphore semaphore = three(client(), name);
        List<Lease> held = List.of(taken(semaphore), taken(semaphore), taken(semaphore));
        assertThat(semaphore.changePermits(1)).isEqualTo(3);
        held.forEach(Lease::ensureHeld);
        assertThat(semaphore.availablePermits()).isZero();
        for (Lease lease : held) {
            assertTaken(semaphore);
            lease.close();
        }
        assertThatThrownBy(semaphore.atOnce(2)::tryAcquire)
                .isInstanceOf(PermitsMismatchException.class)
                .hasMessageContaining("2 cannot be taken at once");
        taken(semaphore);
        assertTaken(semaphore);
    }

    @Test
    void theNumberCanBeChangedBeforeItsFirstUse() {
        String name = name();
        assertThat(three(client(), name).changePermits(1)).isZero();
        taken(three(client(), name));
        assertTaken(three(client(), name));
    }

    @Test
    void isInspected() {
        String name = name();
        DistributedSemaphore semaphore = three(client(), name);
        assertThat(semaphore.inspect()).isEmpty();
        assertThat(semaphore.availablePermits()).isEqualTo(3);
        taken(semaphore.atOnce(2));
        LockInfo info = semaphore.inspect().orElseThrow();
        assertThat(info.permitsHeld()).isEqualTo(2);
        assertThat(info.permits()).isEqualTo(3);
        assertThat(info.count()).isEqualTo(1);
        assertThat(info.fencingToken()).isZero();
        assertThat(info.shared()).isFalse();
        taken(semaphore);
        assertThat(semaphore.inspect().orElseThrow().count()).isEqualTo(2);
        assertThat(client().lock(name).inspect().orElseThrow().permitsHeld()).isEqualTo(3);
    }

    @Test
    void theLockOfTheNameIsAllPermits() {
        String name = name();
        Leasehold client = client();
        Lease one = taken(three(client, name));
        assertThat(client().lock(name).tryAcquire()).isEmpty();
        CompletableFuture<Lease> all = waiter(client().lock(name).with(WOKEN));
        untilWaiting(name, 1);
        // There are two, but the waiter for all of them is first.
        assertTaken(three(client, name));
        one.close();
        Lease lock = granted(all);
        assertTaken(three(client, name));
        assertThat(three(client, name).availablePermits()).isZero();
        lock.close();
        taken(three(client, name));
    }

    @Test
    void aPermitThatIsTakenAwayIsLost() {
        String name = name();
        DistributedSemaphore semaphore = client().semaphore(name, 3).with(renewedSoon());
        Lease lease = taken(semaphore);
        List<LossEvent> losses = new ArrayList<>();
        lease.onLost(losses::add);
        assertThat(client().semaphore(name, 3).asLock().forceRelease()).isTrue();
        await().until(() -> !losses.isEmpty());
        assertThat(losses)
                .singleElement()
                .satisfies(loss -> assertThat(loss.cause()).isEqualTo(LossCause.DELETED));
        assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void thereAreNoTokensAndNoOwners() {
        DistributedSemaphore semaphore = three(client(), name());
        try (Lease lease = taken(semaphore)) {
            assertThatThrownBy(lease::fencingToken)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("several hold at once");
        }
        DistributedLock lock = semaphore.asLock();
        assertThatThrownBy(() -> lock.ownedBy("job")).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void aThreadHasWhatItLockedOnceHoweverOften() {
        String name = name();
        DistributedSemaphore semaphore = three(client(), name);
        DistributedLock one = semaphore.asLock();
        DistributedLock two = semaphore.atOnce(2).asLock();
        one.lock();
        one.lock();
        assertThat(semaphore.availablePermits()).isEqualTo(2);
        two.lock();
        assertThat(semaphore.availablePermits()).isZero();
        assertThat(one.holdCount()).isEqualTo(2);
        assertThat(two.holdCount()).isEqualTo(1);
        two.unlock();
        assertThat(two.isHeldByCurrentThread()).isFalse();
        assertThat(one.isHeldByCurrentThread()).isTrue();
        one.unlock();
        one.unlock();
        assertThat(semaphore.availablePermits()).isEqualTo(3);
    }

    @Test
    void acquiringNeverReenters() throws Exception {
        DistributedSemaphore semaphore = client().semaphore(name(), 2).with(WOKEN);
        try (Lease first = semaphore.acquire();
                Lease second = semaphore.acquire()) {
            assertThat(first.owner()).isNotEqualTo(second.owner());
            assertThatThrownBy(() -> outOfDoubt(() -> semaphore.acquire(Duration.ofMillis(500))))
                    .isInstanceOf(LockNotAcquiredException.class);
            assertThat(outOfDoubt(() -> semaphore.tryAcquire(Duration.ofMillis(500))))
                    .isEmpty();
        }
    }

    @Test
    void aWaiterThatGivesUpTakesNothingAndLetsOthersIn() {
        String name = name();
        Leasehold client = client();
        Lease one = taken(three(client, name));
        CompletableFuture<Lease> many = waiter(three(client(), name).atOnce(3));
        untilWaiting(name, 1);
        CompletableFuture<Lease> few = waiter(three(client(), name));
        untilWaiting(name, 2);
        assertThat(many.cancel(false)).isTrue();
        granted(few).ensureHeld();
        one.close();
        few.join().close();
        assertThat(three(client, name).availablePermits()).isEqualTo(3);
    }

    @Test
    void anInterruptEndsTheWaitAndTakesNothing() throws Exception {
        String name = name();
        DistributedSemaphore semaphore = three(client(), name);
        Lease all = taken(semaphore.atOnce(3));
        CompletableFuture<Thread> started = new CompletableFuture<>();
        CompletableFuture<Lease> waiting = inThread(() -> {
            started.complete(Thread.currentThread());
            return semaphore.acquire();
        });
        started.get().interrupt();
        assertThatThrownBy(() -> waiting.get(1, TimeUnit.MINUTES))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(InterruptedException.class);
        all.close();
        await().until(() -> semaphore.availablePermits() == 3);
    }

    @Test
    void badNumbersAreRefusedBeforeAnythingIsSent() {
        String name = name();
        Leasehold client = client();
        for (int permits : new int[] {0, -1, 1_000_001}) {
            assertThatThrownBy(() -> client.semaphore(name, permits))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(name)
                    .hasMessageContaining("from 1 to 1,000,000");
        }
        DistributedSemaphore semaphore = three(client, name);
        for (int permits : new int[] {0, -1, 4}) {
            assertThatThrownBy(() -> semaphore.atOnce(permits))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("from 1 to 3");
        }
        assertThatThrownBy(() -> semaphore.changePermits(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> semaphore.with(lease(5)).fair()).isInstanceOf(IllegalArgumentException.class);
        assertThat(server().command("EXISTS", key(name))).isEqualTo(0L);
    }

    @Test
    void manyWaitersOfOneProcessAreAllServed() {
        String name = name();
        DistributedSemaphore semaphore = three(client(), name);
        DistributedSemaphore other = three(client(), name);
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            all.add((i % 3 == 0 ? other : semaphore)
                    .atOnce(1 + i % 2)
                    .acquireAsync()
                    .thenCompose(Lease::releaseAsync)
                    .toCompletableFuture());
        }
        await().until(() -> all.stream().allMatch(CompletableFuture::isDone));
        assertThat(all).allSatisfy(each -> assertThat(each).isCompleted());
        assertThat(semaphore.availablePermits()).isEqualTo(3);
    }
}
