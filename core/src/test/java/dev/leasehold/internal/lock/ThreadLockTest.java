package dev.leasehold.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.DistributedLock;
import dev.leasehold.DistributedReadWriteLock;
import dev.leasehold.DistributedSemaphore;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.LockOptions;
import dev.leasehold.Renewal;
import dev.leasehold.WaitStrategy;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.key.PlainKey;
import dev.leasehold.internal.key.RedissonKey;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Holds of threads through {@link java.util.concurrent.locks.Lock}: who may end them, and when they are forgotten. */
@SuppressWarnings("LockNotBeforeTry") // these tests are about locks that stay held
class ThreadLockTest {

    private static final Duration LONG = Duration.ofMinutes(2);
    private static final LockOptions UNRENEWED =
            LockOptions.builder().renewal(Renewal.none()).build();

    private final EngineRig rig = new EngineRig();

    private Map<String, DistributedLock> locks(LockOptions options) {
        Engine engine = rig.engine;
        for (String script : List.of("plain", "redisson")) {
            rig.redis.answers(
                    script + "_acquire",
                    call -> rig.redis.reply("granted", call.args().get(1), "1"));
            rig.redis.answers(script + "_release", call -> rig.redis.reply("released"));
            rig.redis.answers(
                    script + "_renew",
                    call -> rig.redis.reply("renewed", call.args().get(1)));
        }
        Map<String, DistributedLock> locks = new LinkedHashMap<>();
        locks.put("lock", rig.lock(options));
        locks.put("fair", engine.fairLock(EngineRig.KEY, options));
        locks.put("owned", rig.lock(options).ownedBy("me"));
        locks.put("read", engine.readWriteLock(EngineRig.KEY, options).readLock());
        locks.put("write", engine.readWriteLock(EngineRig.KEY, options).writeLock());
        locks.put("permit", engine.semaphore(EngineRig.KEY, 9, options).asLock());
        locks.put(
                "permits", engine.semaphore(EngineRig.KEY, 9, options).atOnce(3).asLock());
        locks.put("plain", engine.lock(PlainKey.of("p"), options));
        locks.put("redisson", engine.lock(RedissonKey.of("r", false), options));
        return locks;
    }

    /** A thread of its own, which acts when it is told to, and then ends. */
    private static void inThread(Runnable action) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                action.run();
                done.complete(null);
            } catch (RuntimeException | Error e) {
                done.completeExceptionally(e);
            }
        });
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        done.join();
    }

    @Test
    void theHoldOfAThreadThatEndedIsForgottenWithItsLease() {
        locks(EngineRig.OPTIONS).forEach((kind, lock) -> {
            inThread(lock::lock);
            assertThat(rig.threadHolds()).as(kind).isOne();
            rig.pass(LONG);
            assertThat(rig.threadHolds()).as(kind).isZero();
            assertThat(rig.records()).as(kind).isEmpty();
            assertThatThrownBy(lock::unlock)
                    .as(kind)
                    .isInstanceOf(IllegalMonitorStateException.class)
                    .hasMessageContaining("no thread of this client holds it");
        });
    }

    @Test
    void aThreadThatUnlocksAnotherViewOfItsLockLearnsWhatItHas() {
        refusesToUnlock("lock", "read", "reads under lock 'a'");
        refusesToUnlock("read", "write", "writes under lock 'a'");
        refusesToUnlock("lock", "owned", "holds lock 'a' as 'me'");
        refusesToUnlock("permits", "permit", "has permits of semaphore 'a'");
    }

    private void refusesToUnlock(String view, String locked, String said) {
        Map<String, DistributedLock> locks = locks(EngineRig.OPTIONS);
        inThread(() -> {
            locks.get(locked).lock();
            assertThatThrownBy(locks.get(view)::unlock)
                    .as(view)
                    .isInstanceOf(IllegalMonitorStateException.class)
                    .hasMessageContaining(said);
            locks.get(locked).unlock();
        });
    }

    /** The lease was lost while the thread lived, so nothing of it was left that could expire. */
    @Test
    void theHoldOfAThreadThatEndedAfterItsLeaseWasLostIsForgotten() {
        locks(UNRENEWED).forEach((kind, lock) -> {
            inThread(() -> {
                lock.lock();
                rig.pass(LONG);
                assertThat(lock.isHeldByCurrentThread()).as(kind).isFalse();
                assertThat(rig.threadHolds()).as(kind).isOne();
            });
            rig.pass(Duration.ofSeconds(11));
            assertThat(rig.threadHolds()).as(kind).isZero();
            assertThat(rig.time.planned()).as(kind).isOne();
        });
    }

    @Test
    void aWriterThatAlsoReadsLeavesNothingBehind() {
        DistributedReadWriteLock lock = rig.engine.readWriteLock(EngineRig.KEY, UNRENEWED);
        inThread(() -> {
            lock.writeLock().lock();
            lock.readLock().lock();
            rig.pass(LONG);
        });
        rig.pass(Duration.ofSeconds(11));
        assertThat(rig.threadHolds()).isZero();
    }

    @Test
    void aThreadThatLivesHearsOfItsLossHoweverLateItUnlocks() {
        locks(UNRENEWED).forEach((kind, lock) -> {
            lock.lock();
            rig.pass(Duration.ofHours(1));
            assertThat(rig.threadHolds()).as(kind).isOne();
            assertThatThrownBy(lock::unlock).as(kind).isInstanceOf(LeaseLostException.class);
            assertThat(rig.threadHolds()).as(kind).isZero();
            rig.pass(Duration.ofSeconds(11));
            assertThat(rig.time.planned()).as(kind).isOne();
        });
    }

    @Test
    void aLostLeaseOfOneSideKeepsItsThreadFromNothingOnTheOther() throws Exception {
        DistributedReadWriteLock lock = rig.engine.readWriteLock(EngineRig.KEY, UNRENEWED);
        DistributedLock read = lock.readLock();
        DistributedLock write = lock.writeLock();
        DistributedLock owned = write.ownedBy("me");
        DistributedLock fair = rig.engine.fairLock(EngineRig.KEY, UNRENEWED);
        Map<DistributedLock, List<DistributedLock>> others =
                Map.of(read, List.of(write, owned, fair), write, List.of(read), owned, List.of(read));
        for (Map.Entry<DistributedLock, List<DistributedLock>> one : others.entrySet()) {
            DistributedLock lost = one.getKey();
            for (DistributedLock other : one.getValue()) {
                lost.lock();
                rig.pass(LONG);
                assertThat(other.tryLock()).as("%s after %s", other, lost).isTrue();
                assertThat(other.isHeldByCurrentThread()).isTrue();
                assertThatThrownBy(lost::unlock).isInstanceOf(LeaseLostException.class);
                assertThat(other.isHeldByCurrentThread()).isTrue();
                other.unlock();
                assertThat(rig.threadHolds()).isZero();
            }
        }
        read.lock();
        rig.pass(LONG);
        rig.engine.multiLock(List.of(EngineRig.KEY), UNRENEWED).acquire().release();
        write.tryAcquire().orElseThrow().release();
        // On the same side it locks anew, and its last unlock still reports the loss.
        read.lock();
        read.unlock();
        assertThatThrownBy(read::unlock).isInstanceOf(LeaseLostException.class);
        assertThat(rig.threadHolds()).isZero();
    }

    @Test
    void aThreadThatLosesItsLeaseAgainAndAgainOwesAllItsUnlocks() {
        DistributedLock lock = rig.engine.lock(EngineRig.KEY, UNRENEWED);
        for (int i = 0; i < 100; i++) {
            lock.lock();
            rig.pass(LONG);
            assertThat(lock.isHeldByCurrentThread()).isFalse();
        }
        lock.lock();
        assertThat(rig.threadHolds()).isOne();
        assertThat(lock.holdCount()).isOne();
        lock.unlock();
        for (int i = 0; i < 100; i++) {
            assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
        }
        assertThatThrownBy(lock::unlock).isExactlyInstanceOf(IllegalMonitorStateException.class);
        assertThat(rig.threadHolds()).isZero();
    }

    @Test
    void aThreadWaitsForPermitsUnlessItsOwnAreTooMany() throws Exception {
        DistributedSemaphore permits = rig.engine.semaphore(EngineRig.KEY, 3, EngineRig.OPTIONS);
        permits.asLock().lock();
        assertThatThrownBy(permits.atOnce(3)::acquire)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("itself has permits of semaphore 'a'");
        permits.atOnce(2).acquire().release();
        permits.asLock().unlock();
        permits.atOnce(3).acquire().release();
        DistributedLock ending = permits.with(UNRENEWED).asLock();
        ending.lock();
        permits.atOnce(3).acquire().release();
        ending.unlock();
    }

    @Test
    void aWaitThatEndsByItselfIsNotRefused() throws Exception {
        DistributedLock lock = rig.engine.lock(EngineRig.KEY, EngineRig.OPTIONS);
        lock.lock();
        assertThatThrownBy(lock::acquire).isInstanceOf(IllegalStateException.class);
        WaitStrategy threeTries = WaitStrategy.polling(Duration.ofMillis(50), 3);
        lock.with(EngineRig.OPTIONS.toBuilder().waitStrategy(threeTries).build())
                .acquire()
                .release();
        String exported = lock.leaseOfCurrentThread().orElseThrow().export();
        assertThat(exported).isNotEmpty();
        lock.acquire().release();
        lock.unlock();
    }

    @Test
    void aWriterWhoseHoldIsGoneReadsAnew() {
        DistributedReadWriteLock lock = rig.engine.readWriteLock(EngineRig.KEY, EngineRig.OPTIONS);
        lock.writeLock().lock();
        rig.time.stepWall(Duration.ofMinutes(1));
        rig.redis.answers("renew", call -> rig.redis.reply("gone", "taken"));
        assertThat(lock.readLock().tryLock()).isTrue();
        assertThat(lock.readLock().isHeldByCurrentThread()).isTrue();
        assertThatThrownBy(lock.writeLock()::unlock).isInstanceOf(LeaseLostException.class);
        lock.readLock().unlock();
        assertThat(rig.threadHolds()).isZero();
    }

    /** Its hold may still be in Redis: the thread would wait for itself. */
    @Test
    void aLeaseInDoubtKeepsItsThreadFromTheOtherSide() {
        DistributedReadWriteLock lock = rig.engine.readWriteLock(EngineRig.KEY, EngineRig.OPTIONS);
        DistributedLock owned = lock.writeLock().ownedBy("me");
        Map<DistributedLock, DistributedLock> others =
                Map.of(lock.readLock(), lock.writeLock(), owned, lock.readLock());
        others.forEach((doubtful, other) -> {
            doubtful.lock();
            rig.time.stepWall(Duration.ofMinutes(1));
            assertThatThrownBy(other::lock)
                    .as("%s after %s", other, doubtful)
                    .isInstanceOf(IllegalStateException.class);
            doubtful.unlock();
        });
    }

    @Test
    void onlyUnlockEndsTheLeaseOfAThread() {
        locks(EngineRig.OPTIONS).forEach((kind, lock) -> {
            lock.lock();
            lock.lock();
            Lease lease = lock.leaseOfCurrentThread().orElseThrow();
            for (Runnable end : List.<Runnable>of(lease::release, lease::close, lease::releaseAsync)) {
                assertThatThrownBy(end::run)
                        .as(kind)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("unlock()");
            }
            lock.unlock();
            assertThat(lock.isHeldByCurrentThread()).as(kind).isTrue();
            lock.unlock();
            assertThat(lock.isHeldByCurrentThread()).as(kind).isFalse();
            assertThat(lease.isHeld()).as(kind).isFalse();
            assertThat(rig.threadHolds()).as(kind).isZero();
        });
    }

    @Test
    void theLeaseOfAThreadIsNotDowngraded() {
        DistributedReadWriteLock lock = rig.engine.readWriteLock(EngineRig.KEY, EngineRig.OPTIONS);
        lock.writeLock().lock();
        Lease lease = lock.writeLock().leaseOfCurrentThread().orElseThrow();
        assertThatThrownBy(() -> lock.downgrade(lease))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lock()");
        assertThatThrownBy(() -> lock.downgradeAsync(lease)).isInstanceOf(IllegalArgumentException.class);
        assertThat(lock.writeLock().isHeldByCurrentThread()).isTrue();
        lock.writeLock().unlock();
    }

    @Test
    void argumentsAreCheckedBeforeAnythingElse() {
        locks(EngineRig.OPTIONS).forEach((kind, lock) -> {
            refusesNull(kind, lock);
            lock.lock();
            refusesNull(kind + ", held", lock);
            lock.unlock();
            Thread.currentThread().interrupt();
            refusesNull(kind + ", interrupted", lock);
            assertThat(Thread.interrupted()).isTrue();
        });
        DistributedLock retaining =
                rig.lock(LockOptions.builder().retainFor(Duration.ofMillis(400)).build());
        refusesNull("retaining", retaining);
        rig.engine.shutDown();
        refusesNull("closed", rig.lock());
    }

    private static void refusesNull(String kind, DistributedLock lock) {
        refused(kind, "unit", () -> lock.tryLock(1, nothing(TimeUnit.class)));
        Duration none = nothing(Duration.class);
        refused(kind, "wait", () -> lock.acquire(none));
        refused(kind, "wait", () -> lock.tryAcquire(none));
        refused(kind, "wait", () -> lock.acquireAsync(none));
        refused(kind, "wait", () -> lock.tryAcquireAsync(none));
    }

    @Test
    void timesOfLeasesLatchesAndSeveralLocksAreCheckedBeforeAnythingElse() {
        Duration none = nothing(Duration.class);
        Lease lease = rig.held(UNRENEWED);
        refused("lease", "time", () -> lease.extend(none));
        refused("lease", "time", () -> lease.extendAsync(none));
        rig.pass(LONG);
        refused("lost lease", "time", () -> lease.extend(none));
        var several = rig.engine.multiLock(List.of(EngineRig.KEY), EngineRig.OPTIONS);
        refused("several", "wait", () -> several.acquire(none));
        refused("several", "wait", () -> several.tryAcquire(none));
        refused("several", "wait", () -> several.acquireAsync(none));
        refused("several", "wait", () -> several.tryAcquireAsync(none));
        var latch = rig.engine.latch(EngineRig.KEY);
        refused("latch", "expiry", () -> latch.trySet(1, none));
        refused("latch", "expiry", () -> latch.trySetAsync(1, none));
        refused("latch", "wait", () -> latch.await(none));
        refused("latch", "wait", () -> latch.awaitAsync(none));
        assertThat(rig.redis.sent("latch_set")).isEmpty();
    }

    private interface Call {
        Object run() throws InterruptedException;
    }

    private static void refused(String kind, String argument, Call call) {
        assertThatThrownBy(call::run)
                .as(kind)
                .isInstanceOf(NullPointerException.class)
                .hasMessage(argument);
    }

    /** A null that no checker of the build sees. */
    @SuppressWarnings({"unused", "NullAway"})
    private static <T> T nothing(Class<T> type) {
        return null;
    }
}
