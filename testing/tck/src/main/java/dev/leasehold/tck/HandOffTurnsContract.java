package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockNotAcquiredException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Hand-off in competition: waiters that give up while the lock is handed to them, other clients, and threads. */
@SuppressWarnings("LockNotBeforeTry") // these tests are about locks that pass from thread to thread
@Except(
        value = {Topology.TLS_AND_ACL, Topology.SENTINEL, Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "it tests the engine, which is the same on every topology")
class HandOffTurnsContract extends LockBase {

    private static final int ROUNDS = 100;

    @Test
    void aWaiterCancelledDuringAHandOffHoldsNothing() throws Exception {
        Leasehold client = client();
        for (int round = 0; round < ROUNDS; round++) {
            DistributedLock lock = lock(client, name());
            Lease held = lock.acquire();
            CompletableFuture<Lease> doomed = waiter(lock);
            List<CompletableFuture<Lease>> others = List.of(waiter(lock), waiter(lock));
            untilWaiting(lock, held);
            CompletableFuture<Boolean> cancelled = inThread(() -> doomed.cancel(false));
            releaseUnlessLost(held);
            if (!cancelled.get(1, TimeUnit.MINUTES)) {
                doomed.join().release();
            }
            othersAreServed(lock.name(), others);
        }
    }

    @Test
    void aWaiterThatTimesOutDuringAHandOffHoldsNothing() throws Exception {
        Leasehold client = client();
        for (int round = 0; round < ROUNDS; round++) {
            DistributedLock lock = lock(client, name());
            Lease held = lock.acquire();
            CompletableFuture<Lease> first = waiter(lock);
            untilWaiting(lock, held);
            CompletableFuture<Lease> doomed =
                    lock.acquireAsync(Duration.ofNanos(round * 15_000L)).toCompletableFuture();
            CompletableFuture<Lease> last = waiter(lock);
            releaseUnlessLost(held);
            granted(first).release();
            try {
                doomed.get(1, TimeUnit.MINUTES).release();
            } catch (ExecutionException e) {
                assertThat(e).hasCauseInstanceOf(LockNotAcquiredException.class);
            }
            othersAreServed(lock.name(), List.of(last));
        }
    }

    @Test
    void aWaiterInterruptedDuringAHandOffHoldsNothing() throws Exception {
        Leasehold client = client();
        for (int round = 0; round < ROUNDS; round++) {
            DistributedLock lock = lock(client, name());
            Lease held = lock.acquire();
            CompletableFuture<Thread> doomed = new CompletableFuture<>();
            CompletableFuture<Boolean> ended = inThread(() -> {
                doomed.complete(Thread.currentThread());
                try {
                    lock.acquire().release();
                    return true;
                } catch (InterruptedException e) {
                    return false;
                }
            });
            Thread thread = doomed.get(1, TimeUnit.MINUTES);
            untilWaiting(lock, held);
            List<CompletableFuture<Lease>> others = List.of(waiter(lock), waiter(lock));
            CompletableFuture<Boolean> interrupting = inThread(() -> {
                thread.interrupt();
                return true;
            });
            releaseUnlessLost(held);
            interrupting.get(1, TimeUnit.MINUTES);
            assertThat(ended.get(1, TimeUnit.MINUTES)).isNotNull();
            othersAreServed(lock.name(), others);
        }
    }

    /** A lease over a retained hold has little time: of a hundred, the machine may keep one from being renewed. */
    private void untilWaiting(DistributedLock lock, Lease held) {
        soon().until(() -> !held.isHeld() || isWaiting(lock.name(), 1));
    }

    private void releaseUnlessLost(Lease held) {
        if (!released(held)) {
            assertThat(retainFor()).isNotNull();
        }
    }

    private void othersAreServed(String name, List<CompletableFuture<Lease>> others) {
        others.forEach(other -> granted(other).release());
        soon().until(() -> isFree(name) && field(name, "wn").equals("null"));
    }

    /** The sequence of holders, and how often the lock passed to the other client. */
    private static final class Turns {
        private static final int ENOUGH = 20;
        /** 257 tokens are reserved for eight threads: within this number of leases a run certainly ends. */
        private static final long MOST = ENOUGH * 4L * 257;

        private final AtomicInteger last = new AtomicInteger(-1);
        private final AtomicInteger turns = new AtomicInteger();
        private final AtomicLong leases = new AtomicLong();
        private final AtomicInteger inside = new AtomicInteger();
        private final AtomicInteger overlaps = new AtomicInteger();

        boolean over() {
            return turns.get() >= ENOUGH || leases.get() >= MOST;
        }

        void entered(int client) {
            overlaps.addAndGet(inside.incrementAndGet() - 1);
            leases.incrementAndGet();
            if (last.getAndSet(client) != client) {
                turns.incrementAndGet();
            }
            inside.decrementAndGet();
        }
    }

    @Test
    void clientsWithManyThreadsTakeTurns() throws Exception {
        String name = name();
        Turns turns = new Turns();
        // Until both clients are in the queue: a client that is late otherwise finds all leases counted.
        Lease held = client().lock(name).acquire();
        List<CompletableFuture<Boolean>> threads = new ArrayList<>();
        for (int c = 0; c < 2; c++) {
            int number = c;
            DistributedLock lock = lock(client(), name);
            for (int t = 0; t < 8; t++) {
                threads.add(inThread(() -> {
                    while (!turns.over()) {
                        lock.lock();
                        turns.entered(number);
                        lock.unlock();
                    }
                    return true;
                }));
            }
        }
        untilWaiting(name, 2);
        held.release();
        for (CompletableFuture<Boolean> thread : threads) {
            assertThat(thread.get(120, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(turns.overlaps).hasValue(0);
        assertThat(turns.turns).as("of %s leases", turns.leases).hasValueGreaterThanOrEqualTo(Turns.ENOUGH);
        isGivenBack(name);
    }

    @Test
    void aLockPassesFromThreadToThreadAndReentrancyBelongsToOneThread() throws Exception {
        int count = 30;
        String name = name();
        DistributedLock lock = lock(client(), name);
        AtomicInteger inside = new AtomicInteger();
        lock.lock();
        List<Thread> waiting = new ArrayList<>();
        List<CompletableFuture<Boolean>> ended = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            CompletableFuture<Thread> me = new CompletableFuture<>();
            ended.add(inThread(() -> {
                me.complete(Thread.currentThread());
                lock.lock();
                boolean alone = inside.incrementAndGet() == 1;
                lock.lock();
                alone &= lock.holdCount() == 2;
                lock.unlock();
                alone &= lock.isHeldByCurrentThread() && inside.decrementAndGet() == 0;
                lock.unlock();
                return alone && !lock.isHeldByCurrentThread();
            }));
            waiting.add(me.get(1, TimeUnit.MINUTES));
        }
        untilWaiting(name, 1);
        await().until(() -> waiting.stream()
                .allMatch(thread ->
                        thread.getState() == Thread.State.TIMED_WAITING || thread.getState() == Thread.State.WAITING));
        server().resetStats();
        lock.unlock();
        for (CompletableFuture<Boolean> each : ended) {
            assertThat(each.get(1, TimeUnit.MINUTES)).isTrue();
        }
        isGivenBack(name);
        // Each may have to request permission to hand off; without hand-off each would poll and release.
        assertThat(server().commandCounts().getOrDefault("evalsha", 0L)).isLessThanOrEqualTo(count + 8);
    }
}
