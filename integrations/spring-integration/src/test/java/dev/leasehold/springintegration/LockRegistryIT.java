package dev.leasehold.springintegration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.Renewal;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.integration.support.locks.DistributedLock;

/** Spring Integration's requirements for a lock registry, on a real server and between two clients. */
@WithRedis
@SuppressWarnings("LockNotBeforeTry") // these tests are about locks that stay held
class LockRegistryIT {

    private static final LockOptions UNRENEWED = LockOptions.builder()
            .leaseTime(Duration.ofMillis(300))
            .renewal(Renewal.none())
            .build();

    private final EmbeddedRedis redis;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private Leasehold mine;
    private Leasehold theirs;
    private LeaseholdLockRegistry registry;
    private LeaseholdLockRegistry others;

    LockRegistryIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    @BeforeEach
    void connect() {
        mine = Leasehold.connect(redis.uri());
        theirs = Leasehold.connect(redis.uri());
        registry = new LeaseholdLockRegistry(mine, "orders:");
        others = new LeaseholdLockRegistry(theirs, "orders:");
    }

    @AfterEach
    void close() {
        redis.resume();
        threads.shutdownNow();
        mine.close();
        theirs.close();
    }

    private <T> T inThread(Callable<T> task) throws Exception {
        return threads.submit(task).get(20, TimeUnit.SECONDS);
    }

    @Test
    void aLockIsRefusedToOthersUntilItIsUnlocked() throws Exception {
        Lock lock = registry.obtain("17");
        lock.lock();
        assertThat(others.obtain("17").tryLock()).isFalse();
        assertThat(inThread(() -> registry.obtain("17").tryLock())).isFalse();
        lock.unlock();
        assertThat(others.obtain("17").tryLock()).isTrue();
    }

    @Test
    void otherKeysAndOtherPrefixesAreOtherLocks() {
        registry.obtain("17").lock();
        assertThat(others.obtain("18").tryLock()).isTrue();
        assertThat(new LeaseholdLockRegistry(theirs, "invoices:").obtain("17").tryLock())
                .isTrue();
        assertThat(theirs.lock("orders:17").tryAcquire()).isEmpty();
    }

    @Test
    void twoObjectsOfOneKeyAreEqualWithinARegistry() {
        assertThat(registry.obtain("17"))
                .isEqualTo(registry.obtain("17"))
                .hasSameHashCodeAs(registry.obtain("17"))
                .isNotEqualTo(registry.obtain("18"))
                .isNotEqualTo(others.obtain("17"))
                .isNotEqualTo(new LeaseholdLockRegistry(mine, "orders:").obtain("17"))
                .isNotEqualTo("17");
    }

    @Test
    void aLockIsReentrantThroughAnyObjectOfTheKeyAndIsUnlockedAsOften() throws Exception {
        registry.obtain("17").lock();
        registry.obtain("17").lockInterruptibly();
        assertThat(registry.obtain("17").tryLock()).isTrue();
        assertThat(registry.obtain("17").tryLock(1, TimeUnit.SECONDS)).isTrue();
        for (int i = 0; i < 3; i++) {
            registry.obtain("17").unlock();
            assertThat(others.obtain("17").tryLock()).isFalse();
        }
        registry.obtain("17").unlock();
        assertThat(others.obtain("17").tryLock()).isTrue();
    }

    @Test
    void aWaiterAcquiresTheLockWhenItIsUnlocked() throws Exception {
        registry.obtain("17").lock();
        Future<Boolean> waiting = threads.submit(() -> others.obtain("17").tryLock(15, TimeUnit.SECONDS));
        registry.obtain("17").unlock();
        assertThat(waiting.get(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aWaiterWithoutSuccessReturnsWhenItsTimeIsUpOrItIsInterrupted() throws Exception {
        registry.obtain("17").lock();
        assertThat(others.obtain("17").tryLock(100, TimeUnit.MILLISECONDS)).isFalse();
        CompletableFuture<Thread> waiter = new CompletableFuture<>();
        Future<?> waiting = threads.submit(() -> {
            waiter.complete(Thread.currentThread());
            others.obtain("17").lockInterruptibly();
            return null;
        });
        waiter.get(20, TimeUnit.SECONDS).interrupt();
        assertThatThrownBy(() -> waiting.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(InterruptedException.class);
        registry.obtain("17").unlock();
        // The waiter that gave up stays in the queue for a moment, and then leaves it.
        assertThat(others.obtain("17").tryLock(15, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aThreadThatDoesNotHoldTheLockCannotUnlockIt() {
        registry.obtain("17").lock();
        assertThatThrownBy(() -> inThread(() -> {
                    registry.obtain("17").unlock();
                    return null;
                }))
                .hasCauseInstanceOf(IllegalMonitorStateException.class);
        assertThatThrownBy(() -> others.obtain("17").unlock()).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(others.obtain("17").tryLock()).isFalse();
    }

    @Test
    void withoutRenewalALockEndsWithItsTimeToLiveAndUnlockThrows() {
        Lock lock = new LeaseholdLockRegistry(mine, "orders:", UNRENEWED).obtain("17");
        lock.lock();
        await().until(() -> others.obtain("17").tryLock());
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
        assertThat(registry.obtain("17").tryLock())
                .as("the new holder still has the lock")
                .isFalse();
    }

    @Test
    void theTimeToLiveOfTheCallIsTheLeaseTime() throws Exception {
        DistributedLock lock = registry.obtain("17");
        lock.lock(Duration.ofMinutes(3));
        assertThat(left()).isBetween(Duration.ofSeconds(170), Duration.ofMinutes(3));
        assertThat(lock.tryLock(Duration.ofSeconds(1), Duration.ofMinutes(10))).isTrue();
        assertThat(left()).as("a reentrant call extends, and never shortens").isGreaterThan(Duration.ofMinutes(9));
        lock.lock(Duration.ofMinutes(1));
        assertThat(left()).isGreaterThan(Duration.ofMinutes(9));
        assertThat(others.obtain("17").tryLock(Duration.ofMillis(50), Duration.ofMinutes(1)))
                .isFalse();
        assertThatThrownBy(() -> others.obtain("17").lock(Duration.ofMillis(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private Duration left() {
        return theirs.lock("orders:17").inspect().orElseThrow().left();
    }

    @Test
    void renewLockExtendsTheLeaseToTheGivenTime() {
        registry.obtain("17").lock();
        registry.renewLock("17", Duration.ofMinutes(5));
        assertThat(left()).isGreaterThan(Duration.ofMinutes(4));
        registry.renewLock("17");
        assertThat(left()).as("never shortened").isGreaterThan(Duration.ofMinutes(4));
    }

    @Test
    void onlyTheHolderRenewsALockAndOnlyWhileItHoldsTheLock() throws Exception {
        assertThatThrownBy(() -> registry.renewLock("17"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("orders:17");
        registry.obtain("17").lock();
        assertThatThrownBy(() -> others.renewLock("17")).isInstanceOf(IllegalStateException.class);
        assertThat(theirs.lock("orders:17").forceRelease()).isTrue();
        assertThatThrownBy(() -> registry.renewLock("17"))
                .isInstanceOf(IllegalStateException.class)
                .hasCauseInstanceOf(LeaseLostException.class);
    }

    @Test
    void workUnderALockRunsExclusivelyAndReturnsItsResult() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(40);
        for (int t = 0; t < 4; t++) {
            LeaseholdLockRegistry of = t % 2 == 0 ? registry : others;
            threads.execute(() -> {
                for (int i = 0; i < 10; i++) {
                    try {
                        of.executeLocked("17", () -> {
                            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                            inside.decrementAndGet();
                        });
                        done.countDown();
                    } catch (InterruptedException e) {
                        return;
                    }
                }
            });
        }
        assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(most).hasValue(1);
        assertThat(registry.<String, RuntimeException>executeLocked("17", () -> "done"))
                .isEqualTo("done");
    }

    @Test
    void workThatFailsLeavesTheLockFree() {
        assertThatThrownBy(() -> registry.executeLocked("17", () -> {
                    throw new java.io.IOException("no space left");
                }))
                .isInstanceOf(java.io.IOException.class);
        assertThat(others.obtain("17").tryLock()).isTrue();
    }

    @Test
    void workIsNotExecutedIfTheLockIsNotAcquiredInTime() {
        registry.obtain("17").lock();
        AtomicInteger runs = new AtomicInteger();
        assertThatThrownBy(() -> others.executeLocked("17", Duration.ofMillis(50), runs::incrementAndGet))
                .isInstanceOf(TimeoutException.class);
        assertThat(runs).hasValue(0);
    }

    @Test
    void aLossDuringExecuteLockedIsThrownAtTheEnd() {
        LockOptions soonRenewed =
                LockOptions.builder().renewal(Renewal.afterRatio(0.02)).build();
        LeaseholdLockRegistry renewed = new LeaseholdLockRegistry(mine, "orders:", soonRenewed);
        assertThatThrownBy(() -> renewed.executeLocked("17", () -> {
                    theirs.lock("orders:17").forceRelease();
                    await().until(() -> !renewed.lease("17").isHeld());
                }))
                .isInstanceOf(LeaseLostException.class);
    }

    @Test
    void eachHolderHasAHigherFencingToken() throws Exception {
        long first = registry.executeLocked("17", () -> registry.lease("17").fencingToken());
        long second = others.executeLocked("17", () -> others.lease("17").fencingToken());
        assertThat(second).isGreaterThan(first);
        assertThatThrownBy(() -> registry.lease("17")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void heldLocksOutliveTheExpiryOfUnusedOnes() {
        registry.obtain("17").lock();
        registry.expireUnusedOlderThan(0);
        assertThat(others.obtain("17").tryLock()).isFalse();
        registry.obtain("17").unlock();
        assertThat(others.obtain("17").tryLock()).isTrue();
    }

    @Test
    void aKeyThatIsNoStringIsRefused() {
        assertThatThrownBy(() -> registry.obtain(UUID.randomUUID()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("java.util.UUID");
    }

    @Test
    void aConditionIsRefused() {
        assertThatThrownBy(() -> registry.obtain("17").newCondition())
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void aRedisThatDoesNotAnswerIsDistinguishedFromAHeldLock() {
        redis.pause();
        assertThatThrownBy(() -> registry.obtain("17").tryLock(200, TimeUnit.MILLISECONDS))
                .isInstanceOf(LockUnavailableException.class);
    }
}
