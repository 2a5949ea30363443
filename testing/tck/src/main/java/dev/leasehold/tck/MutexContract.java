package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;

/**
 * A lock as a {@link Lock}: mutual exclusion, reentrancy by thread, rejection of other threads. Every exclusive
 * kind of lock obeys it; a subclass selects the kind.
 */
@SuppressWarnings("LockNotBeforeTry") // these tests are about locks that stay held
class MutexContract extends LockBase {

    /**
     * Returns the lock of a name; by default the ordinary one.
     *
     * @param client the client
     * @param name its name
     * @return a lock of the kind under test
     */
    @Override
    protected DistributedLock lock(Leasehold client, String name) {
        return super.lock(client, name);
    }

    @Override
    DistributedLock unusedLock(Leasehold client, String name) {
        return lock(client, name);
    }

    /**
     * Returns options with a short lease; by default polling often.
     *
     * @param leaseMillis the lease
     * @return options that the kind under test accepts
     */
    protected LockOptions options(long leaseMillis) {
        return retaining(lease(leaseMillis));
    }

    /**
     * Returns the key of a lock.
     *
     * @param name the lock
     * @return its key in Redis
     */
    protected String keyOf(String name) {
        return key(name);
    }

    /**
     * Returns whether the lock is held in Redis.
     *
     * @param name the lock
     * @return the state in Redis
     */
    protected boolean isHeldInRedis(String name) {
        return holds(name) == 1;
    }

    /**
     * Waits for the one-time setup of a client, if the first use of a lock of this kind starts it without waiting
     * for it.
     */
    void untilConnected() {}

    /** Returns the requests of an uncontended lock, by command. */
    Map<String, Long> requestsOfALock() {
        return Map.of("EVALSHA", 1L);
    }

    /** Returns the requests of its unlock. */
    Map<String, Long> requestsOfAnUnlock() {
        return Map.of("EVALSHA", 1L);
    }

    @Test
    void atMostOneThreadOfAllClientsIsInside() throws Exception {
        String name = name();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger rounds = new AtomicInteger();
        List<CompletableFuture<Boolean>> workers = new ArrayList<>();
        for (int c = 0; c < 3; c++) {
            DistributedLock lock = lock(client(), name).with(options(20_000));
            for (int t = 0; t < 2; t++) {
                workers.add(inThread(() -> work(lock, inside, rounds)));
            }
        }
        for (CompletableFuture<Boolean> worker : workers) {
            assertThat(worker.get(60, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(rounds).hasValue(6 * 20);
    }

    private static boolean work(Lock lock, AtomicInteger inside, AtomicInteger rounds) {
        boolean alone = true;
        for (int i = 0; i < 20; i++) {
            lock.lock();
            try {
                alone &= inside.incrementAndGet() == 1;
                Thread.onSpinWait();
                inside.decrementAndGet();
                rounds.incrementAndGet();
            } finally {
                lock.unlock();
            }
        }
        return alone;
    }

    @Test
    void aHeldLockIsRefusedToOthersUntilItIsUnlocked() {
        String name = name();
        DistributedLock own = lock(client(), name);
        DistributedLock theirs = lock(client(), name);
        own.lock();
        assertThat(theirs.tryLock()).isFalse();
        own.unlock();
        locksFree(theirs);
        theirs.unlock();
    }

    @Test
    void aTimedTryFailsWhileAnotherHoldsIt() throws Exception {
        String name = name();
        // Not used before: a lease over a retained hold has little time until it is renewed.
        DistributedLock own = unusedLock(client(), name);
        own.lock();
        DistributedLock theirs = lock(client(), name);
        assertThat(outOfDoubt(() -> theirs.tryLock(500, TimeUnit.MILLISECONDS))).isFalse();
        own.unlock();
    }

    @Test
    void aTimedTrySucceedsWhenTheHolderUnlocksMeanwhile() throws Exception {
        String name = name();
        DistributedLock own = lock(client(), name);
        DistributedLock theirs = lock(client(), name);
        own.lock();
        CompletableFuture<Boolean> waiting = inThread(() -> theirs.tryLock(15, TimeUnit.SECONDS));
        own.unlock();
        assertThat(waiting.get(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void aThreadReentersWithoutARequestAndUnlocksAsOften() {
        String name = name();
        DistributedLock lock = lock(client(), name);
        lock.lock();
        // A lease that is held for a while is checked once.
        await().untilAsserted(() -> reentryIsCounted(lock));
        lock.unlock();
        assertThat(lock.holdCount()).isZero();
        locksFree(lock(client(), name));
    }

    private void reentryIsCounted(DistributedLock lock) {
        server().resetStats();
        lock.lock();
        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.holdCount()).isEqualTo(3);
        lock.unlock();
        lock.unlock();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat(server().commandCounts()).doesNotContainKeys("evalsha", "eval");
    }

    @Test
    void onlyUnlockEndsTheLeaseOfAThread() {
        DistributedLock lock = lock(client(), name());
        lock.lock();
        Lease lease = lock.leaseOfCurrentThread().orElseThrow();
        assertThatThrownBy(lease::release).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(lease::close).isInstanceOf(IllegalStateException.class);
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void aTimedTryOfABusyLockIsFalseOnlyOnceItsTimeHasElapsed() throws Exception {
        String name = name();
        DistributedLock mine = lock(client(), name);
        try (Lease held = unusedLock(client(), name).acquire()) {
            assertThat(outOfDoubt(() -> mine.tryAcquire(Duration.ofSeconds(1)))).isEmpty();
            for (int i = 0; i < 50; i++) {
                Duration wait = Duration.ofMillis(i % 10 == 0 ? 25 : 1 + i % 5 * 3);
                long from = System.nanoTime();
                try {
                    assertThat(mine.tryLock(wait.toNanos(), TimeUnit.NANOSECONDS))
                            .isFalse();
                } catch (LockUnavailableException e) {
                    // A busy machine may leave a short wait without an answer.
                    continue;
                }
                assertThat(System.nanoTime() - from).isGreaterThanOrEqualTo(wait.toNanos());
            }
            held.ensureHeld();
        }
    }

    @Test
    void theLeaseOfAThreadThatHasLockedIsAtHandUntilItUnlocks() throws Exception {
        DistributedLock lock = lock(client(), name());
        assertThat(lock.leaseOfCurrentThread()).isEmpty();
        lock.lock();
        lock.lock();
        Lease lease = lock.leaseOfCurrentThread().orElseThrow();
        assertThat(lease.isHeld()).isTrue();
        Duration before = lease.remaining();
        assertThat(lease.extend(Duration.ofSeconds(30))).isTrue();
        assertThat(lease.remaining()).isGreaterThan(before.plusSeconds(20));
        assertThat(inThread(lock::leaseOfCurrentThread).get(1, TimeUnit.MINUTES))
                .isEmpty();
        lock.unlock();
        assertThat(lease.isHeld()).isTrue();
        lock.unlock();
        assertThat(lease.isHeld()).isFalse();
        assertThat(lock.leaseOfCurrentThread()).isEmpty();
    }

    @Test
    void anUncontendedLockTakesOneExchangeAndAnUnlockAnotherAndNothingElse() {
        FaultProxy proxy = proxy();
        DistributedLock lock = lock(client(proxy.uri(), builder -> {}), name());
        lock.lock();
        lock.unlock();
        untilConnected();
        // A lease that is held for a while is checked once, and a retained one is retained for longer.
        await().untilAsserted(() -> useIsCounted(proxy, lock));
    }

    private void useIsCounted(FaultProxy proxy, Lock lock) {
        Map<String, Long> requests = new HashMap<>(proxy.requestCounts());
        lock.lock();
        try {
            requestsOfALock().forEach((command, times) -> requests.merge(command, times, Long::sum));
            assertThat(proxy.requestCounts()).isEqualTo(requests);
        } finally {
            lock.unlock();
        }
        requestsOfAnUnlock().forEach((command, times) -> requests.merge(command, times, Long::sum));
        assertThat(proxy.requestCounts()).isEqualTo(requests);
    }

    @Test
    void twoObjectsOfOneNameAreOneLock() {
        String name = name();
        Leasehold leasehold = client();
        lock(leasehold, name).lock();
        assertThat(lock(leasehold, name).holdCount()).isEqualTo(1);
        assertThat(lock(leasehold, name).isHeldByCurrentThread()).isTrue();
        lock(leasehold, name).unlock();
        assertThat(lock(leasehold, name).isHeldByCurrentThread()).isFalse();
    }

    @Test
    void aHundredNamesHeldAtOnceAreAHundredLocks() {
        // hazard 14: registries of other libraries evict held locks, or map two names to one.
        Leasehold leasehold = client();
        Leasehold other = client();
        String prefix = name();
        for (int i = 0; i < 100; i++) {
            // Not used before: a retained hold lasts for a second, and a machine that is busy for as long would lose
            // one of many.
            unusedLock(leasehold, prefix + ":" + i).lock();
        }
        for (int i = 0; i < 100; i++) {
            assertThat(unusedLock(leasehold, prefix + ":" + i).holdCount()).isEqualTo(1);
            assertThat(unusedLock(other, prefix + ":" + i).tryLock()).isFalse();
        }
        for (int i = 0; i < 100; i++) {
            unusedLock(leasehold, prefix + ":" + i).unlock();
        }
        locksFree(lock(other, prefix + ":0"));
    }

    @Test
    void unlockByAThreadThatDoesNotHoldIsRefusedWithBothThreadsNamed() throws Exception {
        // hazard 12: ownership by thread, confused by pools and async code.
        String name = name();
        DistributedLock lock = lock(client(), name);
        lock.lock();
        long owner = Thread.currentThread().getId();
        CompletableFuture<Long> stranger = inThread(() -> {
            assertThatThrownBy(lock::unlock)
                    .isInstanceOf(IllegalMonitorStateException.class)
                    .hasMessageContaining(name)
                    .hasMessageContaining("thread " + Thread.currentThread().getId() + " ")
                    .hasMessageContaining("thread " + owner + " ")
                    .hasMessageContaining("acquire()");
            return Thread.currentThread().getId();
        });
        stranger.get(1, TimeUnit.MINUTES);
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat(isHeldInRedis(name)).isTrue();
        lock.unlock();
    }

    @Test
    void unlockOfAFreeLockIsRefused() {
        DistributedLock lock = lock(client(), name());
        assertThatThrownBy(lock::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("no thread of this client holds it");
    }

    @Test
    void anInterruptEndsTheWaitAndLeavesNothingHeld() throws Exception {
        String name = name();
        DistributedLock own = lock(client(), name);
        DistributedLock theirs = lock(client(), name).with(options(20_000));
        own.lock();
        CompletableFuture<Thread> started = new CompletableFuture<>();
        CompletableFuture<Boolean> waiting = inThread(() -> {
            started.complete(Thread.currentThread());
            theirs.lockInterruptibly();
            return true;
        });
        started.get().interrupt();
        assertThatThrownBy(() -> waiting.get(1, TimeUnit.MINUTES))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(InterruptedException.class);
        own.unlock();
        becomesFree(own);
    }

    @Test
    void anInterruptDoesNotEndAnUninterruptibleLockAndIsKept() throws Exception {
        String name = name();
        DistributedLock own = lock(client(), name);
        DistributedLock theirs = lock(client(), name).with(options(20_000));
        own.lock();
        CompletableFuture<Thread> started = new CompletableFuture<>();
        CompletableFuture<Boolean> waiting = inThread(() -> {
            started.complete(Thread.currentThread());
            theirs.lock();
            return Thread.currentThread().isInterrupted() && theirs.isHeldByCurrentThread();
        });
        started.get().interrupt();
        own.unlock();
        assertThat(waiting.get(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void aThreadWhoseLeaseIsLostLocksAnewAndStillHasToUnlockTheLostHold() {
        // finding 25 (d): a reentrant acquire on a lost lease would rely on a hold that does not exist.
        String name = name();
        DistributedLock lock = lock(client(), name).with(options(900));
        lock.lock();
        delete(keyOf(name));
        await().until(() -> !lock.isHeldByCurrentThread());
        assertThat(lock.holdCount()).isZero();
        lock.lock();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.lock();
        assertThat(lock.holdCount()).isEqualTo(2);
        lock.unlock();
        lock.unlock();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        locksFree(client().lock(name));
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class).hasMessageContaining(name);
        assertThatThrownBy(lock::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .isNotInstanceOf(LeaseLostException.class);
    }

    @Test
    void aThreadDoesNotWaitForItselfWithoutALimit() throws Exception {
        String name = name();
        Leasehold leasehold = client();
        // Not used before: a lease over a retained hold has little time until it is renewed.
        DistributedLock lock = unusedLock(leasehold, name);
        lock.lock();
        assertThatThrownBy(lock::acquire)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("itself", name, "would wait for its own unlock() for ever");
        assertThat(lock.tryAcquire()).isEmpty();
        assertThatThrownBy(() -> outOfDoubt(() -> lock.acquire(Duration.ofMillis(300))))
                .isInstanceOf(LockNotAcquiredException.class)
                .hasMessageContaining("the calling thread itself has it by lock()");
        lock.unlock();
        lock.acquire().release();
        // The hold ends by itself, so the wait does, too.
        DistributedLock ending = lock.with(
                options(100).toBuilder().retainFor(null).renewal(Renewal.none()).build());
        ending.lock();
        lock.acquire().release();
        assertThatThrownBy(ending::unlock).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void anInterruptibleCallIsInterruptedBeforeAnythingIsSent() throws Exception {
        String name = name();
        DistributedLock lock = unusedLock(client(), name);
        inThread(() -> {
                    Thread.currentThread().interrupt();
                    assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(InterruptedException.class);
                    assertThat(Thread.currentThread().isInterrupted()).isFalse();
                    Thread.currentThread().interrupt();
                    assertThatThrownBy(() -> lock.tryLock(1, TimeUnit.SECONDS))
                            .isInstanceOf(InterruptedException.class);
                    assertThat(Thread.currentThread().isInterrupted()).isFalse();
                    return true;
                })
                .get(1, TimeUnit.MINUTES);
        assertThat(exists(keyOf(name))).isFalse();
    }

    @Test
    void aTryIsNotDisturbedByAnInterruptAndKeepsIt() throws Exception {
        DistributedLock lock = lock(client(), name());
        assertThat(inThread(() -> {
                            Thread.currentThread().interrupt();
                            boolean locked = lock.tryLock();
                            lock.unlock();
                            return locked && Thread.currentThread().isInterrupted();
                        })
                        .get(1, TimeUnit.MINUTES))
                .isTrue();
    }

    @Test
    void conditionsAreRefused() {
        DistributedLock lock = lock(client(), name());
        assertThatThrownBy(lock::newCondition).isInstanceOf(UnsupportedOperationException.class);
    }
}
