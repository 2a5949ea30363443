package dev.leasehold.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.DistributedLock;
import dev.leasehold.DistributedReadWriteLock;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.LockOptions;
import dev.leasehold.MultiLease;
import dev.leasehold.MultiLock;
import dev.leasehold.Renewal;
import dev.leasehold.internal.acquire.ExportedLease;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.recipes.DistributedLatch;
import dev.leasehold.spi.ServerDescription.Capability;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Event loops: calls that would wait are refused, and releases are sent without waiting for their answers. */
@SuppressWarnings({"LockNotBeforeTry", "UnusedVariable"})
class EventLoopTest {

    private static final Duration WAIT = Duration.ofSeconds(1);
    private static final LockKey OTHER = LockKey.of(EngineRig.PREFIX, "b");
    private static final LockOptions RETAINED =
            LockOptions.builder().retainFor(Duration.ofMillis(500)).build();

    private final EngineRig rig = new EngineRig();

    private Map<String, ThrowingCallable> waiting() {
        Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
        DistributedReadWriteLock both = rig.engine.readWriteLock(EngineRig.KEY, EngineRig.OPTIONS);
        Map<String, DistributedLock> locks = new LinkedHashMap<>();
        locks.put("lock", rig.lock());
        locks.put("retained", rig.lock(RETAINED));
        locks.put("fair", rig.engine.fairLock(EngineRig.KEY, EngineRig.OPTIONS));
        locks.put("owned", rig.lock().ownedBy("me"));
        locks.put("read", both.readLock());
        locks.put("write", both.writeLock());
        locks.put(
                "permit",
                rig.engine.semaphore(EngineRig.KEY, 9, EngineRig.OPTIONS).asLock());
        locks.forEach((kind, lock) -> {
            calls.put(kind + ".acquire()", lock::acquire);
            calls.put(kind + ".acquire(time)", () -> lock.acquire(WAIT));
            calls.put(kind + ".tryAcquire()", lock::tryAcquire);
            calls.put(kind + ".tryAcquire(time)", () -> lock.tryAcquire(WAIT));
            calls.put(kind + ".lock()", lock::lock);
            calls.put(kind + ".lockInterruptibly()", lock::lockInterruptibly);
            calls.put(kind + ".tryLock()", lock::tryLock);
            calls.put(kind + ".tryLock(time)", () -> lock.tryLock(1, TimeUnit.SECONDS));
        });
        MultiLock several = rig.engine.multiLock(List.of(EngineRig.KEY, OTHER), EngineRig.OPTIONS);
        calls.put("several.acquire()", several::acquire);
        calls.put("several.acquire(time)", () -> several.acquire(WAIT));
        calls.put("several.tryAcquire()", several::tryAcquire);
        calls.put("several.tryAcquire(time)", () -> several.tryAcquire(WAIT));
        calls.put("requestRelease()", () -> rig.lock().requestRelease());
        DistributedLatch latch = rig.engine.latch(EngineRig.KEY);
        calls.put("latch.await()", latch::await);
        calls.put("latch.await(time)", () -> latch.await(WAIT));
        calls.put("latch.countDown()", latch::countDown);
        return calls;
    }

    @Test
    void refusesCallsThatWaitBeforeAnythingIsSent() {
        rig.onEventLoop = () -> true;
        waiting()
                .forEach((call, action) -> assertThatThrownBy(action)
                        .as(call)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContainingAll(Thread.currentThread().getName(), "Nothing was sent", "Async"));
        assertThat(rig.redis.sent).isEmpty();
        assertThat(rig.records()).isEmpty();
        assertThat(rig.threadHolds()).isZero();
    }

    @Test
    void refusesToExtendResumeOrDowngradeAndLeavesTheLeaseAsItIs() {
        Lease lease = rig.held();
        String exported = rig.held(LockOptions.defaults()).export();
        DistributedReadWriteLock both = rig.engine.readWriteLock(OTHER, EngineRig.OPTIONS);
        Lease writer = both.writeLock().tryAcquire().orElseThrow();
        rig.redis.sent.clear();
        rig.onEventLoop = () -> true;
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> lease.extend(WAIT),
                () -> both.downgrade(writer),
                () -> rig.engine.resume(ExportedLease.decode(EngineRig.PREFIX, exported), EngineRig.OPTIONS))) {
            assertThatThrownBy(call)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("would block the event loop");
        }
        assertThat(rig.redis.sent).isEmpty();
        assertThat(List.of(lease.isHeld(), writer.isHeld())).containsOnly(true);
    }

    @Test
    void sendsAReleaseAndDoesNotWaitForItsAnswer() {
        Lease lease = rig.held();
        rig.redis.silent("release");
        long before = rig.time.nanoTime();
        rig.onEventLoop = () -> true;
        lease.close();
        assertThat(rig.redis.sent("release")).hasSize(1);
        assertThat(rig.time.nanoTime()).isEqualTo(before);
        assertThat(lease.isHeld()).isFalse();
        rig.redis.last("release").answer().complete(rig.redis.reply("released"));
        assertThat(rig.released).hasSize(1);
        assertThat(rig.records()).isEmpty();
    }

    @Test
    void unlocksWithoutWaiting() {
        DistributedLock lock = rig.lock();
        lock.lock();
        rig.redis.silent("release");
        long before = rig.time.nanoTime();
        rig.onEventLoop = () -> true;
        lock.unlock();
        assertThat(rig.redis.sent("release")).hasSize(1);
        assertThat(rig.time.nanoTime()).isEqualTo(before);
        assertThat(rig.threadHolds()).isZero();
    }

    @Test
    void sendsTheReleasesOfSeveralLocksAndDoesNotWait() {
        rig.redis.answers(
                "acquire_many", call -> rig.redis.each(call, n -> List.of("granted", Long.toString(n + 1), "1")));
        MultiLease lease = rig.engine
                .multiLock(List.of(EngineRig.KEY, OTHER), EngineRig.OPTIONS)
                .tryAcquire()
                .orElseThrow();
        rig.redis.silent("release");
        long before = rig.time.nanoTime();
        rig.onEventLoop = () -> true;
        lease.close();
        assertThat(rig.redis.sent("release")).hasSize(2);
        assertThat(rig.time.nanoTime()).isEqualTo(before);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void aReleaseThatRedisDoesNotAnswerIsRepeatedInTheBackground() {
        Lease lease = rig.held();
        rig.redis.silent("release");
        rig.onEventLoop = () -> true;
        lease.close();
        rig.onEventLoop = () -> false;
        rig.redis.answers("release", call -> rig.redis.reply("released"));
        rig.pass(Duration.ofSeconds(5));
        assertThat(rig.redis.sent("release")).hasSizeGreaterThan(1);
        assertThat(rig.records()).isEmpty();
    }

    @Test
    void aLossThatIsKnownIsThrown() {
        Lease lease = rig.held(LockOptions.builder().renewal(Renewal.none()).build());
        rig.pass(Duration.ofMinutes(2));
        rig.onEventLoop = () -> true;
        assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
        assertThatCode(lease::close).doesNotThrowAnyException();
    }

    @Test
    void asynchronousCallsSendOnTheCallersThread() {
        rig.onEventLoop = () -> true;
        Lease lease = rig.lock().acquireAsync().toCompletableFuture().join();
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.extendAsync(WAIT).toCompletableFuture().join()).isTrue();
        assertThat(lease.releaseAsync().toCompletableFuture()).isCompleted();
    }

    /** A transport over a blocking client sends on the thread of its caller. */
    @Test
    void overABlockingClientAsynchronousCallsAndReleasesLeaveTheEventLoop() {
        Queue<Runnable> callbacks = new ArrayDeque<>();
        EngineRig blocking = new EngineRig(callbacks::add, Set.of(Capability.AT_MOST_ONCE));
        blocking.onEventLoop = () -> true;
        var acquired = blocking.lock().acquireAsync().toCompletableFuture();
        assertThat(blocking.redis.sent).isEmpty();
        drain(callbacks);
        Lease lease = acquired.join();
        lease.close();
        assertThat(blocking.redis.sent("release")).isEmpty();
        assertThat(lease.isHeld()).isFalse();
        drain(callbacks);
        assertThat(blocking.redis.sent("release")).hasSize(1);
        assertThat(blocking.records()).isEmpty();
    }

    @Test
    void overASharedConnectionAsynchronousCallsDoNotLeaveTheEventLoop() {
        Queue<Runnable> callbacks = new ArrayDeque<>();
        EngineRig shared =
                new EngineRig(callbacks::add, Set.of(Capability.AT_MOST_ONCE, Capability.SHARES_CONNECTIONS));
        shared.onEventLoop = () -> true;
        var acquired = shared.lock().acquireAsync();
        assertThat(shared.redis.sent).hasSizeGreaterThanOrEqualTo(1);
        drain(callbacks);
        assertThat(acquired.toCompletableFuture()).isCompleted();
    }

    private static void drain(Queue<Runnable> tasks) {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }
}
