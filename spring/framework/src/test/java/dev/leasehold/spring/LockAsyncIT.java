package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.annotation.CurrentLease;
import dev.leasehold.annotation.Lock;
import dev.leasehold.annotation.ReactiveCurrentLease;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/** Asynchronous results hold the lock until they complete, and no longer. */
@WithRedis
class LockAsyncIT {

    private static final Duration LONG = Duration.ofSeconds(20);

    private final EmbeddedRedis redis;
    private LockedBeans beans;
    private Leasehold other;
    private Work work;
    /** The state is outside of the bean, as a proxy does not have its fields. */
    private Work state;

    LockAsyncIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    @Configuration
    @EnableLocks
    @EnableAsync
    static class Locks {
        @Bean
        Work work() {
            return new Work();
        }

        @Bean
        Outer outer(Work work) {
            return new Outer(work);
        }
    }

    static class Work {
        volatile CompletableFuture<String> stage = new CompletableFuture<>();
        volatile Sinks.One<String> one = Sinks.one();
        volatile Sinks.Many<Integer> many = Sinks.many().unicast().onBackpressureBuffer();
        final AtomicInteger calls = new AtomicInteger();
        final AtomicBoolean cancelled = new AtomicBoolean();

        @Lock("plain")
        public String plain() {
            return "plain";
        }

        @Lock("job")
        public CompletableFuture<String> stage() {
            return stage;
        }

        @Lock(name = "job", onBusy = Lock.OnBusy.SKIP)
        public CompletableFuture<String> skippedStage() {
            return stage;
        }

        @Lock(name = "job", leaseTime = "500ms", maxRenewals = 0)
        public CompletableFuture<String> stageThatLasts() {
            return stage;
        }

        @Lock(name = "job", leaseTime = "500ms", maxRenewals = 0, onLoss = Lock.OnLoss.INTERRUPT)
        public CompletableFuture<String> stageToBeCancelled() {
            return stage;
        }

        @Async
        @Lock(name = "job", waitTime = Lock.FOREVER)
        public CompletableFuture<String> elsewhere() {
            return CompletableFuture.completedFuture(
                    Thread.currentThread().getName() + " " + CurrentLease.get().name());
        }

        @Lock("job")
        public Mono<String> mono(Lease lease) {
            calls.incrementAndGet();
            return one.asMono()
                    .doOnCancel(() -> cancelled.set(true))
                    .flatMap(value -> ReactiveCurrentLease.get()
                            .map(current -> value + (current == lease ? " with its lease" : " with another")));
        }

        @Lock(name = "job", waitTime = Lock.FOREVER)
        public Mono<String> patient() {
            calls.incrementAndGet();
            return Mono.just("patient");
        }

        @Lock(name = "job", onBusy = Lock.OnBusy.SKIP)
        public Flux<Integer> skipped() {
            return Flux.just(1);
        }

        @Lock(name = "job", onBusy = Lock.OnBusy.FALLBACK, fallback = "instead")
        public Mono<String> orElse() {
            return Mono.just("itself");
        }

        Mono<String> instead() {
            return Mono.just("instead");
        }

        @Lock("job")
        public Flux<Integer> flux() {
            return many.asFlux();
        }

        @Lock(name = "job", leaseTime = "500ms", maxRenewals = 0)
        public Mono<String> monoThatLasts() {
            calls.incrementAndGet();
            return one.asMono();
        }

        @Lock(name = "job", leaseTime = "500ms", maxRenewals = 0, onLoss = Lock.OnLoss.INTERRUPT)
        public Mono<String> monoToBeCancelled() {
            return Mono.<String>never().doOnCancel(() -> cancelled.set(true));
        }

        @Lock("job:#{#id}")
        public Mono<String> named(String id) {
            return Mono.just(id);
        }
    }

    static class Outer {
        private final Work work;

        Outer(Work work) {
            this.work = work;
        }

        @Lock("job")
        public Mono<String> again() {
            return work.patient().then(work.patient());
        }
    }

    @BeforeEach
    void start() {
        beans = new LockedBeans(Leasehold.connect(redis.uri()), Locks.class);
        work = beans.get(Work.class);
        state = (Work) AopProxyUtils.getSingletonTarget(work);
        other = Leasehold.connect(redis.uri());
    }

    @AfterEach
    void stop() throws InterruptedException {
        beans.close();
        other.close();
    }

    private boolean isFree() {
        return other.lock("job").inspect().isEmpty();
    }

    private void awaitFree() {
        await().atMost(LONG).until(this::isFree);
    }

    private void awaitLost() {
        await().atMost(LONG).until(this::isFree);
    }

    @Test
    void aStageHoldsTheLockUntilItCompletes() throws Exception {
        CompletableFuture<String> result = work.stage();
        assertThatThrownBy(work::stage).isInstanceOf(LockNotAcquiredException.class);
        assertThat(work.skippedStage().get()).isNull();
        assertThat(CurrentLease.find()).isEmpty();
        state.stage.complete("done");
        assertThat(result.get(20, TimeUnit.SECONDS)).isEqualTo("done");
        assertThat(isFree()).isTrue();
    }

    @Test
    void aStageThatFailsOrIsCancelledReleases() {
        CompletableFuture<String> failing = work.stage();
        state.stage.completeExceptionally(new IllegalArgumentException("own"));
        assertThatThrownBy(() -> failing.get(20, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(IllegalArgumentException.class);
        awaitFree();
        state.stage = new CompletableFuture<>();
        work.stage().cancel(true);
        assertThat(state.stage).isCancelled();
        awaitFree();
    }

    @Test
    void aStageWhoseLeaseIsLostFails() {
        CompletableFuture<String> result = work.stageThatLasts();
        awaitLost();
        state.stage.complete("too late");
        assertThatThrownBy(() -> result.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(LeaseLostException.class);
        state.stage = new CompletableFuture<>();
        CompletableFuture<String> cancelled = work.stageToBeCancelled();
        assertThatThrownBy(() -> cancelled.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(LeaseLostException.class);
        await().atMost(LONG).until(state.stage::isCancelled);
    }

    @Test
    void anAsynchronousMethodAcquiresTheLockInItsThread() throws Exception {
        CompletableFuture<String> result;
        try (Lease held = other.lock("job").acquire()) {
            result = work.elsewhere();
            assertThat(result).isNotDone();
        }
        assertThat(result.get(20, TimeUnit.SECONDS))
                .endsWith(" job")
                .isNotEqualTo(Thread.currentThread().getName() + " job");
    }

    @Test
    void aMonoHoldsTheLockFromSubscriptionToCompletion() {
        Mono<String> result = work.mono(null);
        assertThat(state.calls).hasValue(0);
        assertThat(isFree()).isTrue();
        CompletableFuture<String> subscribed = result.toFuture();
        await().atMost(LONG).untilAtomic(state.calls, org.hamcrest.Matchers.is(1));
        assertThatThrownBy(() -> result.block(LONG)).isInstanceOf(LockNotAcquiredException.class);
        state.one.tryEmitValue("value").orThrow();
        assertThat(subscribed.orTimeout(20, TimeUnit.SECONDS).join()).isEqualTo("value with its lease");
        assertThat(isFree()).isTrue();
        assertThat(state.cancelled).isFalse();
        assertThat(result.block(LONG)).isEqualTo("value with its lease");
        assertThat(state.calls).as("called again for each subscription").hasValue(2);
    }

    @Test
    void aMonoThatIsCancelledReleases() {
        Disposable subscription = work.mono(null).subscribe();
        await().atMost(LONG).until(() -> !isFree());
        await().atMost(LONG).untilAtomic(state.calls, org.hamcrest.Matchers.is(1));
        subscription.dispose();
        awaitFree();
        assertThat(state.cancelled).isTrue();
    }

    @Test
    void aSubscriptionThatIsCancelledWhileItWaitsDoesNotAcquireTheLock() {
        Lease held = other.lock("job").tryAcquire().orElseThrow();
        Disposable subscription = work.patient().subscribe();
        subscription.dispose();
        held.close();
        awaitFree();
        assertThat(state.calls).hasValue(0);
        assertThat(work.patient().block(LONG)).isEqualTo("patient");
    }

    @Test
    void aSubscriptionThatIsCancelledDropsNoError() throws Exception {
        Queue<Throwable> dropped = new ConcurrentLinkedQueue<>();
        Hooks.onErrorDropped(dropped::add);
        try (Lease held = other.lock("job").acquire()) {
            assertThatThrownBy(
                            () -> work.patient().timeout(Duration.ofMillis(20)).block(LONG))
                    .hasCauseInstanceOf(TimeoutException.class);
            work.patient().subscribe().dispose();
            assertThat(held.isHeld()).isTrue();
        } finally {
            Hooks.resetOnErrorDropped();
        }
        awaitFree();
        // Other tests run beside it.
        assertThat(dropped).noneMatch(UnsupportedOperationException.class::isInstance);
    }

    @Test
    void aBusyMonoOrFluxFollowsItsAnnotation() throws Exception {
        try (Lease held = other.lock("job").acquire()) {
            assertThat(work.skipped().collectList().block(LONG)).isEmpty();
            assertThat(work.orElse().block(LONG)).isEqualTo("instead");
        }
        assertThat(work.skipped().collectList().block(LONG)).containsExactly(1);
        assertThat(work.orElse().block(LONG)).isEqualTo("itself");
    }

    @Test
    void aFluxHoldsTheLockToItsLastElement() {
        CompletableFuture<List<Integer>> all = work.flux().collectList().toFuture();
        state.many.tryEmitNext(1).orThrow();
        state.many.tryEmitNext(2).orThrow();
        await().atMost(LONG).until(() -> !isFree());
        state.many.tryEmitComplete().orThrow();
        assertThat(all.orTimeout(20, TimeUnit.SECONDS).join()).containsExactly(1, 2);
        assertThat(isFree()).isTrue();
    }

    @Test
    void aFluxThatFailsReleasesAndKeepsItsError() {
        state.many.tryEmitError(new IllegalArgumentException("own")).orThrow();
        assertThatThrownBy(() -> work.flux().blockLast(LONG)).isInstanceOf(IllegalArgumentException.class);
        awaitFree();
    }

    @Test
    void aMonoInsideOfAnotherJoinsIt() {
        assertThat(beans.get(Outer.class).again().block(LONG)).isEqualTo("patient");
        assertThat(state.calls).hasValue(2);
        assertThat(isFree()).isTrue();
    }

    @Test
    void aMonoWhoseLeaseIsLostFails() {
        CompletableFuture<String> result = work.monoThatLasts().toFuture();
        await().atMost(LONG).untilAtomic(state.calls, org.hamcrest.Matchers.is(1));
        awaitLost();
        state.one.tryEmitValue("too late").orThrow();
        assertThatThrownBy(() -> result.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> work.monoToBeCancelled().block(LONG)).isInstanceOf(LeaseLostException.class);
        await().atMost(LONG).until(state.cancelled::get);
    }

    @Test
    void aNameThatCannotBeEvaluatedIsAnError() {
        assertThatThrownBy(() -> work.named(null).block(LONG)).isInstanceOf(IllegalArgumentException.class);
        assertThat(work.named("x").block(LONG)).isEqualTo("x");
    }

    @Test
    void aMethodWithAPlainResultIsRefusedOnAThreadThatMustNotBlock() {
        Mono<String> onEventLoop = Mono.fromSupplier(work::plain).subscribeOn(Schedulers.parallel());
        assertThatThrownBy(() -> onEventLoop.block(LONG))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll(
                        "would block the event loop 'parallel-", "Nothing was sent", "reactive result");
        assertThat(Mono.fromSupplier(work::plain)
                        .subscribeOn(Schedulers.boundedElastic())
                        .block(LONG))
                .isEqualTo("plain");
    }

    @Test
    void aLeaseIsReleasedOnAThreadThatMustNotBlock() throws InterruptedException {
        Lease lease = other.lock("released").acquire();
        Boolean held = Mono.fromSupplier(() -> {
                    lease.close();
                    return lease.isHeld();
                })
                .subscribeOn(Schedulers.parallel())
                .block(LONG);
        assertThat(held).isFalse();
        await().atMost(LONG).until(() -> other.lock("released").inspect().isEmpty());
    }
}
