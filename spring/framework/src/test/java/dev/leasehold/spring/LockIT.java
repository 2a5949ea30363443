package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.annotation.CurrentLease;
import dev.leasehold.annotation.Lock;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.RenewedEvent;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Methods under locks, on a real server. */
@WithRedis
class LockIT {

    private final EmbeddedRedis redis;
    private final AtomicInteger renewals = new AtomicInteger();
    private final Set<String> kinds = ConcurrentHashMap.newKeySet();
    private final ExecutorService callers = Executors.newCachedThreadPool();
    private LockedBeans beans;
    private Leasehold other;
    private Work work;
    /** The state is outside of the bean, as a proxy does not have its fields. */
    private Work state;

    LockIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    @Configuration
    @EnableLocks
    static class Locks {
        @Bean(destroyMethod = "shutdownNow")
        ExecutorService pool() {
            return Executors.newSingleThreadExecutor(task -> new Thread(task, "pool-of-the-test"));
        }

        @Bean
        Work work() {
            return new Work();
        }

        @Bean
        Outer outer(Work work) {
            return new Outer(work);
        }
    }

    @BeforeEach
    void start() {
        Leasehold leasehold = Leasehold.builder()
                .uri(redis.uri())
                .listener(new LeaseholdListener() {
                    @Override
                    public void renewed(RenewedEvent event) {
                        renewals.incrementAndGet();
                    }
                })
                .build();
        beans = new LockedBeans(recording(leasehold), Locks.class);
        work = beans.get(Work.class);
        state = (Work) AopProxyUtils.getSingletonTarget(work);
        other = Leasehold.connect(redis.uri());
    }

    /** Records which kinds of locks are requested, as the fairness of a lock is not observable immediately. */
    private Leasehold recording(Leasehold leasehold) {
        return (Leasehold) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Leasehold.class}, (proxy, method, arguments) -> {
                    kinds.add(method.getName());
                    return method.invoke(leasehold, arguments);
                });
    }

    @AfterEach
    void stop() throws InterruptedException {
        callers.shutdownNow();
        beans.close();
        other.close();
    }

    /** Methods that run under locks until the test ends them. */
    static class Work {
        volatile CountDownLatch entered = new CountDownLatch(1);
        volatile CountDownLatch mayEnd = new CountDownLatch(1);
        volatile String thread = "";
        volatile String logged = "";
        final AtomicInteger runs = new AtomicInteger();

        private String run() throws InterruptedException {
            runs.incrementAndGet();
            thread = Thread.currentThread().getName();
            logged = String.valueOf(MDC.get("request"));
            entered.countDown();
            assertThat(mayEnd.await(20, TimeUnit.SECONDS)).isTrue();
            return CurrentLease.get().name();
        }

        private boolean untilLost(Lease lease) {
            entered.countDown();
            await().atMost(Duration.ofSeconds(20)).until(() -> !lease.isHeld());
            return true;
        }

        @Lock(name = "job:#{#id}", leaseTime = "3s", renewalRatio = 0.1)
        public String longer(int id) throws InterruptedException {
            return run();
        }

        @Lock(name = "job:#{#id}", leaseTime = "2s", renewalRatio = 0.1, maxRenewals = 2)
        public boolean untilItIsLost(int id, Lease lease) {
            return untilLost(lease);
        }

        @Lock(name = "job:#{#id}", leaseTime = "500ms", renewalRatio = 0.5, maxRenewals = 1)
        public void failsAfterItIsLost(int id, Lease lease) {
            untilLost(lease);
            throw new IllegalArgumentException("the method's own");
        }

        @Lock(name = "job:#{#id}", leaseTime = "500ms", maxRenewals = 0, onLoss = Lock.OnLoss.INTERRUPT)
        public void interrupted(int id) throws InterruptedException {
            new CountDownLatch(1).await();
        }

        @Lock(name = "job:#{#id}", leaseTime = "6s", renewalRatio = 0.1, executor = "pool")
        public String longerInPool(int id) throws InterruptedException {
            return run();
        }

        @Lock(name = "job:#{#id}", leaseTime = "500ms", maxRenewals = 0, executor = "pool")
        public boolean untilItIsLostInPool(int id, Lease lease) {
            return untilLost(lease);
        }

        @Lock(
                name = "job:#{#id}",
                leaseTime = "500ms",
                maxRenewals = 0,
                onLoss = Lock.OnLoss.INTERRUPT,
                executor = "pool")
        public void interruptedInPool(int id) throws InterruptedException {
            new CountDownLatch(1).await();
        }

        @Lock(name = "job:#{#id}", minHold = "20s")
        public String kept(int id) {
            return CurrentLease.get().name();
        }

        @Lock(name = "job:#{#id}", waitTime = Lock.FOREVER)
        public String patient(int id) {
            return CurrentLease.get().name();
        }

        @Lock(name = "job:#{#id}", onBusy = Lock.OnBusy.SKIP)
        public String skipped(int id) {
            return "ran";
        }

        @Lock(name = "job:#{#id}", onBusy = Lock.OnBusy.SKIP)
        public Optional<String> skippedOptional(int id) {
            return Optional.of("ran");
        }

        @Lock(name = "job:#{#id}", onBusy = Lock.OnBusy.FALLBACK, fallback = "instead")
        public String orElse(int id, Lease lease) {
            return "ran";
        }

        private String instead(int id, LockNotAcquiredException busy) {
            return id + ": " + busy.lockName();
        }

        @Lock(name = "job:#{#id}", kind = Lock.Kind.FAIR)
        public long fair(int id, Lease lease) {
            return lease.fencingToken();
        }

        @Lock(name = "job:#{#id}", kind = Lock.Kind.READ)
        public String read(int id) throws InterruptedException {
            return run();
        }

        @Lock(name = "job:#{#id}", kind = Lock.Kind.WRITE)
        public String write(int id) {
            return "wrote";
        }

        @Lock(name = "permits", kind = Lock.Kind.SEMAPHORE, permits = 2)
        public String permit() throws InterruptedException {
            return run();
        }

        @Lock(name = "job:#{#id}", owner = "order-#{#order}")
        public String owned(int id, String order) throws InterruptedException {
            return run();
        }

        @Lock(name = "job:#{#id}")
        public void mayFail(int id, RuntimeException failure) {
            throw failure;
        }
    }

    /** Calls other beans under a lock of its own. */
    static class Outer {
        private final Work work;

        Outer(Work work) {
            this.work = work;
        }

        @Lock(name = "job:#{#id}")
        public String again(int id) {
            return work.patient(id) + " and " + work.write(id);
        }

        @Lock(name = "job:#{#id}", kind = Lock.Kind.READ)
        public String readsAndWrites(int id) {
            return work.write(id);
        }
    }

    private <T> Future<T> inAnotherThread(java.util.concurrent.Callable<T> call) throws InterruptedException {
        Future<T> future = callers.submit(call);
        assertThat(state.entered.await(20, TimeUnit.SECONDS)).isTrue();
        return future;
    }

    private boolean isFree(int id) {
        return other.lock("job:" + id).inspect().isEmpty();
    }

    /** The article's watchdog: eleven renewals at a tenth of a lease are more than a lease. */
    @Test
    void aMethodThatOutrunsItsLeaseKeepsTheLockAndASecondCallerFailsImmediately() throws Exception {
        Future<String> first = inAnotherThread(() -> work.longer(1));
        await().atMost(Duration.ofSeconds(20)).until(() -> renewals.get() >= 11);
        assertThatThrownBy(() -> work.longer(1))
                .isInstanceOf(LockNotAcquiredException.class)
                .hasMessageContaining("'job:1'");
        assertThat(other.lock("job:1").tryAcquire()).isEmpty();
        state.mayEnd.countDown();
        assertThat(first.get()).isEqualTo("job:1");
        assertThat(state.runs).hasValue(1);
        assertThat(isFree(1)).isTrue();
    }

    @Test
    void theLockOfAMethodInAPoolIsRenewedToo() throws Exception {
        Future<String> first = inAnotherThread(() -> {
            MDC.put("request", "r-17");
            return work.longerInPool(2);
        });
        await().atMost(Duration.ofSeconds(20)).until(() -> renewals.get() >= 2);
        assertThatThrownBy(() -> work.longerInPool(2)).isInstanceOf(LockNotAcquiredException.class);
        assertThat(first).isNotDone();
        state.mayEnd.countDown();
        assertThat(first.get()).isEqualTo("job:2");
        assertThat(state.thread).isEqualTo("pool-of-the-test");
        assertThat(state.logged).isEqualTo("r-17");
        assertThat(isFree(2)).isTrue();
    }

    @Test
    void whenTheRenewalsAreUsedUpTheLockIsLostAndTheCallerGetsAnException() {
        assertThatThrownBy(() -> work.untilItIsLost(3, null))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("job:3");
        assertThat(renewals).hasValue(2);
        await().atMost(Duration.ofSeconds(20)).until(() -> isFree(3));
        assertThatThrownBy(() -> work.untilItIsLostInPool(3, null)).isInstanceOf(LeaseLostException.class);
        await().atMost(Duration.ofSeconds(20)).until(() -> isFree(3));
    }

    @Test
    void theLossNeverHidesWhatTheMethodThrew() {
        Throwable thrown = catchThrowable(() -> work.failsAfterItIsLost(4, null));
        assertThat(thrown).isInstanceOf(IllegalArgumentException.class).hasMessage("the method's own");
        assertThat(thrown.getSuppressed()).singleElement().isInstanceOf(LeaseLostException.class);
        RuntimeException own = new IllegalStateException("own");
        // The client loses the lease slightly before the lease ends in Redis.
        await().atMost(Duration.ofSeconds(20)).until(() -> isFree(4));
        assertThatThrownBy(() -> work.mayFail(4, own)).isSameAs(own).hasNoSuppressedExceptions();
        assertThat(isFree(4)).isTrue();
    }

    @Test
    void aLockStaysForItsMinimumWhenTheMethodHasEnded() {
        assertThat(work.kept(13)).isEqualTo("job:13");
        assertThatThrownBy(() -> work.kept(13)).isInstanceOf(LockNotAcquiredException.class);
        assertThat(isFree(13)).isFalse();
        assertThat(other.lock("job:13").forceRelease()).isTrue();
    }

    @Test
    void aMethodIsInterruptedWhenItsLeaseIsLost() {
        assertThatThrownBy(() -> work.interrupted(5))
                .isInstanceOf(LeaseLostException.class)
                .satisfies(lost ->
                        assertThat(lost.getSuppressed()).singleElement().isInstanceOf(InterruptedException.class));
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        await().atMost(Duration.ofSeconds(20)).until(() -> isFree(5));
        assertThatThrownBy(() -> work.interruptedInPool(5)).isInstanceOf(LeaseLostException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void anInterruptOfTheCallerReachesTheMethodInThePoolAndTheLockIsHeldUntilItEnds() throws Exception {
        CompletableFuture<Throwable> caught = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            Throwable thrown = catchThrowable(() -> work.longerInPool(6));
            caught.complete(Thread.currentThread().isInterrupted() ? thrown : new AssertionError("no interrupt"));
        });
        caller.start();
        assertThat(state.entered.await(20, TimeUnit.SECONDS)).isTrue();
        caller.interrupt();
        assertThat(caught.get(20, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        assertThat(isFree(6)).isTrue();
    }

    @Test
    void aCallOfABusyLockIsSkippedOrCallsItsFallback() throws Exception {
        assertThat(work.skipped(7)).isEqualTo("ran");
        assertThat(work.orElse(7, null)).isEqualTo("ran");
        try (Lease held = other.lock("job:7").acquire()) {
            assertThat(work.skipped(7)).isNull();
            assertThat(work.skippedOptional(7)).isEmpty();
            assertThat(work.orElse(7, null)).isEqualTo("7: job:7");
        }
    }

    @Test
    void aCallInsideOfAnotherJoinsIt() {
        Outer outer = beans.get(Outer.class);
        assertThat(outer.again(8)).isEqualTo("job:8 and wrote");
        assertThat(isFree(8)).isTrue();
        assertThatThrownBy(() -> outer.readsAndWrites(8))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("would write");
        assertThat(isFree(8)).isTrue();
        assertThat(CurrentLease.find()).isEmpty();
    }

    @Test
    void everyKindUsesTheLockOfThatKind() throws Exception {
        long token = work.fair(9, null);
        assertThat(work.fair(9, null)).isGreaterThan(token);
        assertThat(kinds).contains("fairLock").doesNotContain("lock");
        state.entered = new CountDownLatch(2);
        Future<String> one = callers.submit(() -> work.read(9));
        Future<String> two = callers.submit(() -> work.read(9));
        assertThat(state.entered.await(20, TimeUnit.SECONDS)).isTrue();
        assertThatThrownBy(() -> work.write(9)).isInstanceOf(LockNotAcquiredException.class);
        state.mayEnd.countDown();
        assertThat(List.of(one.get(), two.get())).containsOnly("job:9");
        assertThat(work.write(9)).isEqualTo("wrote");
    }

    @Test
    void aSemaphoreAdmitsAsManyCallsAsItHasPermits() throws Exception {
        state.entered = new CountDownLatch(2);
        Future<String> one = callers.submit(() -> work.permit());
        Future<String> two = callers.submit(() -> work.permit());
        assertThat(state.entered.await(20, TimeUnit.SECONDS)).isTrue();
        assertThatThrownBy(() -> work.permit()).isInstanceOf(LockNotAcquiredException.class);
        state.mayEnd.countDown();
        assertThat(List.of(one.get(), two.get())).containsOnly("permits");
    }

    @Test
    void aLockIsReentrantForItsNamedOwnerFromAnyThreadAndForNoOther() throws Exception {
        state.entered = new CountDownLatch(2);
        Future<String> one = callers.submit(() -> work.owned(10, "17"));
        Future<String> two = callers.submit(() -> work.owned(10, "17"));
        assertThat(state.entered.await(20, TimeUnit.SECONDS)).isTrue();
        assertThatThrownBy(() -> work.owned(10, "18")).isInstanceOf(LockNotAcquiredException.class);
        assertThat(other.lock("job:10").inspect().orElseThrow().owner()).isEqualTo("order-17");
        state.mayEnd.countDown();
        assertThat(one.get()).isEqualTo(two.get());
    }

    @Test
    void aWaitingCallAcquiresTheLock() throws Exception {
        CyclicBarrier together = new CyclicBarrier(4);
        List<Future<String>> all = java.util.stream.IntStream.range(0, 4)
                .mapToObj(i -> callers.submit(() -> {
                    together.await();
                    return work.patient(11);
                }))
                .toList();
        for (Future<String> one : all) {
            assertThat(one.get(20, TimeUnit.SECONDS)).isEqualTo("job:11");
        }
    }

    @Test
    void anInterruptWhileWaitingEndsTheCall() throws Exception {
        try (Lease held = other.lock("job:12").acquire()) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> work.patient(12))
                    .isInstanceOf(java.util.concurrent.CancellationException.class)
                    .hasCauseInstanceOf(InterruptedException.class);
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    /** Busy and unavailable are never the same. */
    @Test
    void whenRedisDoesNotAnswerNoCallIsSkipped() {
        redis.kill();
        assertThatThrownBy(() -> work.skipped(13)).isInstanceOf(LockUnavailableException.class);
        redis.restartEmpty();
    }
}
