package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.diagnostics.Deadlock;
import dev.leasehold.diagnostics.Diagnostics;
import dev.leasehold.diagnostics.LockParty;
import dev.leasehold.diagnostics.LockWait;
import dev.leasehold.diagnostics.WaitGraph;
import dev.leasehold.event.DeadlockEvent;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.inspect.WaiterInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Who waits for whom, and who waits for each other, as one client learns it from Redis and from the processes. */
@Except(
        value = {Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "a quorum keeps no queue")
class WaitGraphContract extends ContractBase {

    /** What a thread does; it may be interrupted. */
    private interface Action {
        void run() throws InterruptedException;
    }

    /** Acquires the first and then the second, in a thread of its own that ends with its client. */
    private static void takes(String thread, Action first, CountDownLatch before, Action second) {
        Thread taker = new Thread(
                () -> {
                    try {
                        first.run();
                        before.countDown();
                        before.await();
                        second.run();
                    } catch (InterruptedException | IllegalStateException closed) {
                        // The test is over.
                        Thread.currentThread().interrupt();
                    }
                },
                thread);
        taker.setDaemon(true);
        taker.start();
    }

    private static Action acquires(DistributedLock lock) {
        return () -> {
            Lease unused = lock.acquire();
        };
    }

    @SuppressWarnings("LockNotBeforeTry") // held until the client is closed
    private static void lockTwice(DistributedLock lock) {
        lock.lock();
        lock.lock();
    }

    /** A client that answers late makes a deadlock only possible for a moment. */
    private Deadlock untilDeadlocked(Leasehold observer, String... names) {
        return untilFound(observer, Deadlock::certain, names);
    }

    private Deadlock untilFound(Leasehold observer, Predicate<Deadlock> wanted, String... names) {
        List<Deadlock> found = new ArrayList<>();
        await().until(() -> {
            Diagnostics.of(observer).deadlocks().stream()
                    .filter(deadlock ->
                            deadlock.cycle().stream().map(LockWait::lock).allMatch(List.of(names)::contains))
                    .filter(wanted)
                    .forEach(found::add);
            return !found.isEmpty();
        });
        return found.get(0);
    }

    private void waits(Leasehold observer, String name, int waiters) {
        await().until(() -> Diagnostics.of(observer).waitGraph().waits().stream()
                        .filter(wait -> wait.lock().equals(name))
                        .count()
                == waiters);
    }

    @Test
    void twoThreadsThatWaitForEachOtherAreADeadlockWithTheStacksThatTheirClientsShare() {
        String first = name();
        String second = name();
        Leasehold one = client(server().uri(), builder -> builder.shareStacks(true));
        Leasehold other = client();
        CountDownLatch both = new CountDownLatch(2);
        takes("taker one", acquires(one.lock(first)), both, acquires(one.lock(second)));
        takes("taker two", acquires(other.lock(second)), both, acquires(other.lock(first)));
        Deadlock deadlock = untilDeadlocked(client(), first, second);
        assertThat(deadlock.cycle()).extracting(LockWait::lock).containsExactlyInAnyOrder(first, second);
        assertThat(deadlock.cycle()).allSatisfy(wait -> {
            assertThat(wait.wants()).isEqualTo(WaiterInfo.Wants.LOCK);
            assertThat(wait.waiter().pid()).isEqualTo(ProcessHandle.current().pid());
            assertThat(wait.waiter().thread()).startsWith("taker ");
            assertThat(wait.since()).isNotNull();
            LockParty holder = wait.holders().get(0);
            assertThat(deadlock.cycle()).extracting(LockWait::waiter).contains(holder);
            assertThat(holder).isNotEqualTo(wait.waiter());
        });
        assertThat(deadlock.stacks())
                .hasSize(1)
                .allSatisfy((waiter, stack) -> assertThat(waiter.thread()).isEqualTo("taker one"))
                .allSatisfy((waiter, stack) ->
                        assertThat(stack).anyMatch(frame -> frame.contains(WaitGraphContract.class.getName())));
        Leasehold observer = client();
        await().untilAsserted(() -> {
            WaitGraph graph = Diagnostics.of(observer).waitGraph();
            assertThat(graph.waits()).extracting(LockWait::lock).contains(first, second);
            assertThat(graph.silent()).isEmpty();
        });
    }

    @Test
    void aThreadThatWaitsForItsOwnLockIsADeadlock() {
        String name = name();
        Leasehold client = client();
        takes("alone", acquires(client.lock(name)), new CountDownLatch(1), acquires(client.lock(name)));
        Deadlock deadlock = untilDeadlocked(client(), name);
        assertThat(deadlock.cycle())
                .singleElement()
                .satisfies(wait -> assertThat(wait.holders()).containsExactly(wait.waiter()));
    }

    /** One holds its lock twice, as a {@code Lock}; the other waits for it while it acquires several locks. */
    @Test
    void holdsOfAReentrantLockAndOfSeveralLocksCount() {
        String first = name();
        String second = name();
        String third = name();
        Leasehold one = client();
        Leasehold other = client();
        CountDownLatch both = new CountDownLatch(2);
        DistributedLock twice = one.lock(first);
        takes("re-entrant", () -> lockTwice(twice), both, one.lock(second)::lock);
        Action several = () -> {
            Lease unused = other.allOf(first, third).acquire();
        };
        takes("several", acquires(other.lock(second)), both, several);
        Deadlock deadlock = untilDeadlocked(client(), first, second, third);
        assertThat(deadlock.cycle()).extracting(LockWait::lock).containsExactlyInAnyOrder(first, second);
    }

    @Test
    void aReaderStandsInTheWayOfAWriterAndAWriterInTheWayOfAReader() {
        String first = name();
        String second = name();
        Leasehold one = client();
        Leasehold other = client();
        Leasehold third = client();
        CountDownLatch all = new CountDownLatch(3);
        // Both read the first. One waits to write there, the other waits for the second, which the writer has.
        takes("reader", acquires(one.readWriteLock(first).readLock()), all, acquires(one.lock(second)));
        takes("beside", acquires(third.readWriteLock(first).readLock()), all, () -> {});
        takes(
                "writer",
                acquires(other.readWriteLock(second).writeLock()),
                all,
                acquires(other.readWriteLock(first).writeLock()));
        Deadlock deadlock = untilDeadlocked(client(), first, second);
        assertThat(deadlock.cycle())
                .filteredOn(wait -> wait.lock().equals(first))
                .singleElement()
                .satisfies(wait -> assertThat(wait.holders())
                        .extracting(LockParty::thread)
                        .containsExactlyInAnyOrder("reader", "beside"));
    }

    @Test
    void aChainOfWaitsIsNoDeadlock() throws InterruptedException {
        String first = name();
        String second = name();
        Leasehold one = client();
        Leasehold other = client();
        Lease held = client().lock(first).acquire();
        CountDownLatch none = new CountDownLatch(1);
        takes("middle", acquires(one.lock(second)), none, acquires(one.lock(first)));
        waits(other, first, 1);
        takes("last", () -> {}, none, acquires(other.lock(second)));
        waits(other, second, 1);
        assertThat(Diagnostics.of(other).deadlocks()).isEmpty();
        String holder = Thread.currentThread().getName();
        await().untilAsserted(() -> assertThat(Diagnostics.of(other).waitGraph().waits())
                .filteredOn(wait -> wait.lock().equals(first))
                .singleElement()
                .satisfies(wait -> assertThat(wait.holders())
                        .singleElement()
                        .satisfies(party -> assertThat(party.thread()).isEqualTo(holder))));
        held.release();
    }

    /** Nobody knows for which task of its process such a lease is held. */
    @Test
    void aLeaseThatNoThreadHoldsMakesACycleOnlyPossible() {
        String first = name();
        String second = name();
        Leasehold one = client();
        Leasehold other = client();
        assertThat(one.lock(first).acquireAsync().toCompletableFuture().join().isHeld())
                .isTrue();
        CountDownLatch both = new CountDownLatch(1);
        takes("bound", acquires(other.lock(second)), both, acquires(other.lock(first)));
        waits(other, first, 1);
        CompletableFuture<Lease> waiter = one.lock(second).acquireAsync().toCompletableFuture();
        Deadlock deadlock = untilFound(
                client(),
                found -> found.cycle().stream().anyMatch(wait -> wait.waiter().threadId() != 0),
                first,
                second);
        assertThat(deadlock.certain()).isFalse();
        assertThat(deadlock.cycle())
                .extracting(wait -> wait.waiter().threadId() == 0)
                .containsExactlyInAnyOrder(true, false);
        waiter.cancel(false);
    }

    @Test
    void aClientThatLooksForDeadlocksReportsEachOnce() {
        String first = name();
        String second = name();
        List<DeadlockEvent> events = new CopyOnWriteArrayList<>();
        LeaseholdListener listener = new LeaseholdListener() {
            @Override
            public void deadlock(DeadlockEvent event) {
                events.add(event);
            }
        };
        Leasehold one = client(
                server().uri(),
                builder -> builder.deadlockCheck(Duration.ofSeconds(1)).listener(listener));
        Leasehold other = client();
        CountDownLatch both = new CountDownLatch(2);
        takes("taker one", acquires(one.lock(first)), both, acquires(one.lock(second)));
        takes("taker two", acquires(other.lock(second)), both, acquires(other.lock(first)));
        await().until(() -> !events.isEmpty());
        assertThat(events.get(0).deadlock().cycle())
                .extracting(LockWait::lock)
                .containsExactlyInAnyOrder(first, second);
        // Its own thread's stack needs no message.
        assertThat(events.get(0).deadlock().stacks().keySet())
                .extracting(LockParty::thread)
                .containsExactly("taker one");
        assertThat(Diagnostics.of(one).deadlocks()).isNotEmpty();
        assertThat(events).hasSize(1);
    }
}
