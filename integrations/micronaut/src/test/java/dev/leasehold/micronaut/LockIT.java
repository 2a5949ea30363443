package dev.leasehold.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import io.micronaut.context.ApplicationContext;
import io.micronaut.http.netty.channel.EventLoopGroupRegistry;
import io.netty.channel.EventLoopGroup;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Methods of Micronaut's beans under locks, on a real server. */
@WithRedis
class LockIT {

    private static final Duration LONG = Duration.ofSeconds(20);

    private final EmbeddedRedis redis;
    private ApplicationContext context;
    private Bank bank;
    private Leasehold other;

    LockIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    @BeforeEach
    void start() {
        context = ApplicationContext.run(Map.of("leasehold.uri", redis.uri(), "bank.prefix", "pooled"));
        bank = context.getBean(Bank.class);
        other = Leasehold.connect(redis.uri());
    }

    @AfterEach
    void stop() {
        context.close();
        other.close();
    }

    private boolean isFree(String lock) {
        return other.lock(lock).inspect().isEmpty();
    }

    @Test
    void aMethodRunsUnderTheLockOfItsArguments() {
        assertThat(bank.lockOf(new Bank.Account("7"))).isEqualTo("account:7");
        assertThat(isFree("account:7")).isTrue();
        long first = bank.token(new Bank.Account("7"), null);
        assertThat(bank.token(new Bank.Account("7"), null)).isGreaterThan(first);
        assertThat(bank.transfer("a", "b", null)).isEqualTo("account:a, account:b");
    }

    @Test
    void aBusyLockThrowsOrCallsTheFallbackAndTheMethodIsNotCalled() {
        try (Lease held = other.lock("account:7").acquire()) {
            assertThatThrownBy(() -> bank.byThis("7")).isInstanceOf(LockNotAcquiredException.class);
            assertThat(bank.orElse("7")).isEqualTo("busy: account:7");
            held.ensureHeld();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        assertThat(bank.calls).hasValue(0);
        assertThat(bank.orElse("7")).isEqualTo("ran");
    }

    @Test
    void aCallOfItsOwnMethodJoinsTheLock() {
        assertThat(bank.byThis("7")).isEqualTo("account:7");
        assertThat(isFree("account:7")).isTrue();
    }

    @Test
    void anArgumentThatIsNullIsRefused() {
        assertThatThrownBy(() -> bank.byThis(null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("#{#id} of 'account:#{#id}' is null");
        assertThat(bank.calls).hasValue(0);
    }

    @Test
    void anExceptionThatTheMethodDeclaresReachesTheCaller() {
        assertThatThrownBy(() -> bank.checked())
                .isExactlyInstanceOf(java.io.IOException.class)
                .hasMessage("the method's own");
        assertThat(isFree("checked")).isTrue();
    }

    @Test
    void aMethodRunsInThePoolThatItNamesWithPlaceholdersOfTheEnvironment() {
        assertThat(bank.inPool("7")).startsWith("pooled:7 in io-executor");
    }

    @Test
    void aStageHoldsTheLockUntilItCompletes() throws Exception {
        CompletableFuture<String> result = bank.stage().toCompletableFuture();
        assertThat(isFree("stage")).isFalse();
        bank.stage.complete("done");
        assertThat(result.get(20, TimeUnit.SECONDS)).isEqualTo("done");
        assertThat(isFree("stage")).isTrue();
    }

    @Test
    void anAsynchronousMethodTakesTheLockInItsOwnThread() throws Exception {
        assertThat(bank.async().toCompletableFuture().get(20, TimeUnit.SECONDS))
                .startsWith("async in ")
                .doesNotEndWith(Thread.currentThread().getName());
        assertThat(isFree("async")).isTrue();
    }

    @Test
    void eachSubscriptionOfAMonoHoldsTheLock() {
        Mono<String> mono = bank.mono("7");
        assertThat(bank.calls).hasValue(0);
        assertThat(mono.block(LONG)).isEqualTo("mono:7");
        assertThat(mono.block(LONG)).isEqualTo("mono:7");
        assertThat(bank.calls).hasValue(2);
        assertThat(isFree("mono:7")).isTrue();
        assertThat(Mono.from(bank.publisher()).block(LONG)).isEqualTo("publisher");
    }

    @Test
    void subscriptionsOfOneMonoThatOverlapWaitForEachOther() {
        Mono<Long> mono = bank.waiting("7", null);
        List<Long> tokens = Flux.range(0, 8)
                .flatMap(i -> mono.subscribeOn(Schedulers.boundedElastic()))
                .collectList()
                .block(LONG);
        assertThat(tokens).hasSize(8).doesNotHaveDuplicates();
        assertThat(isFree("waiting:7")).isTrue();
    }

    @Test
    void aSubscriptionThatIsCancelledWhileItWaitsDropsNoErrorAndLeavesNothingHeld() throws Exception {
        Queue<Throwable> dropped = new ConcurrentLinkedQueue<>();
        Hooks.onErrorDropped(dropped::add);
        try (Lease held = other.lock("waiting:8").acquire()) {
            assertThatThrownBy(() -> bank.waiting("8", null)
                            .timeout(Duration.ofMillis(20))
                            .block(LONG))
                    .hasCauseInstanceOf(TimeoutException.class);
            bank.waiting("8", null).subscribe().dispose();
            await().atMost(LONG)
                    .until(() -> other.lock("waiting:8").inspect().stream()
                            .allMatch(lock -> lock.waiters().isEmpty()));
            held.ensureHeld();
        } finally {
            Hooks.resetOnErrorDropped();
        }
        assertThat(isFree("waiting:8")).isTrue();
        assertThat(dropped).isEmpty();
    }

    @Test
    void aFluxHoldsTheLockUntilItsEndOrCancellation() {
        AtomicReference<String> last = new AtomicReference<>();
        Disposable subscription = bank.flux().subscribe(last::set);
        bank.values.tryEmitNext("one");
        await().atMost(LONG).until(() -> "one".equals(last.get()));
        assertThat(isFree("flux")).isFalse();
        subscription.dispose();
        await().atMost(LONG).until(() -> isFree("flux"));
    }

    @Test
    void aShutdownWaitsForTheMethodThatHoldsALockAndAdmitsNoNewOne() throws Exception {
        CompletableFuture<Boolean> slow = CompletableFuture.supplyAsync(() -> {
            try {
                return bank.slow(null);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(bank.begun.await(20, TimeUnit.SECONDS)).isTrue();
        Leasehold client = context.getBean(Leasehold.class);
        CompletableFuture<Void> stopping = CompletableFuture.runAsync(context::close);
        await().atMost(LONG)
                .untilAsserted(() -> assertThatThrownBy(() -> bank.lockOf(new Bank.Account("late")))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("shutting down"));
        assertThat(stopping).isNotDone();
        bank.mayEnd.countDown();
        assertThat(slow.get(20, TimeUnit.SECONDS)).isTrue();
        stopping.get(20, TimeUnit.SECONDS);
        assertThat(isFree("slow")).isTrue();
        assertThatThrownBy(() -> client.lock("x").tryAcquire()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void theOptionsOfThePropertiesAreTheDefaults() {
        try (ApplicationContext own = ApplicationContext.run(Map.of(
                "leasehold.uri",
                redis.uri(),
                "leasehold.key-prefix",
                "mine",
                "leasehold.lock.lease-time",
                "7s",
                "leasehold.lock.renewal-ratio",
                0.5,
                "bank.prefix",
                "p"))) {
            LeaseholdConfiguration configuration = own.getBean(LeaseholdConfiguration.class);
            assertThat(configuration.lock().options().leaseTime()).isEqualTo(Duration.ofSeconds(7));
            assertThat(configuration.lock().options().renewal().ratio()).isEqualTo(0.5);
            try (Lease lease =
                    own.getBean(Leasehold.class).lock("x").tryAcquire().orElseThrow()) {
                assertThat(lease.isHeld()).isTrue();
                assertThat(List.of(other.lock("x").inspect())).isEqualTo(List.of(java.util.Optional.empty()));
            }
        }
    }

    /** The event loops of Micronaut's server and those of Reactor. */
    @Test
    void anEventLoopIsNotBlocked() throws Exception {
        EventLoopGroup loops = context.getBean(EventLoopGroupRegistry.class).getDefaultEventLoopGroup();
        Lease lease = other.lock("account:8").acquire();
        assertThat(loops.submit(() -> {
                            lease.close();
                            return lease.isHeld();
                        })
                        .get(20, TimeUnit.SECONDS))
                .isFalse();
        await().atMost(LONG).until(() -> isFree("account:8"));
        assertThatThrownBy(() -> loops.submit(() -> bank.byThis("8")).get(20, TimeUnit.SECONDS))
                .hasRootCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("would block the event loop");
        assertThatThrownBy(() -> Mono.fromSupplier(() -> bank.byThis("8"))
                        .subscribeOn(Schedulers.parallel())
                        .block(LONG))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("would block the event loop");
        assertThat(bank.calls).hasValue(0);
        assertThat(Mono.defer(() -> bank.mono("8"))
                        .subscribeOn(Schedulers.parallel())
                        .block(LONG))
                .isEqualTo("mono:8");
    }
}
