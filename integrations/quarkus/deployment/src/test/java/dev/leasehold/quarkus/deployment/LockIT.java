package dev.leasehold.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.annotation.CurrentLease;
import dev.leasehold.annotation.Lock;
import dev.leasehold.annotation.Lock.OnBusy;
import io.quarkus.test.QuarkusUnitTest;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LockIT {

    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = Applications.withRedis(
                    Order.class, Desk.class, BaseDesk.class, StockLock.class, Pool.class)
            .overrideRuntimeConfigKey("desk.wait", "5s")
            .overrideRuntimeConfigKey("desk.region", "north");

    @Inject
    Leasehold leasehold;

    @Inject
    Desk desk;

    private boolean isHeld(String name) {
        return leasehold.inspector().find(name).isPresent();
    }

    @Test
    void holdsTheLockNamedByTheArgumentWhileTheMethodRuns() {
        assertThat(desk.pay(new Order("7"))).isEqualTo("order:7");
        assertThat(isHeld("order:7")).isFalse();
    }

    @Test
    void releasesTheLockIfTheMethodThrows() {
        assertThatThrownBy(() -> desk.fail(new Order("8"))).hasMessage("no money");
        assertThat(isHeld("order:8")).isFalse();
    }

    @Test
    void refusesACallWhileOthersHoldTheLock() {
        try (Lease other = leasehold.lock("order:9").tryAcquire().orElseThrow()) {
            assertThatThrownBy(() -> desk.pay(new Order("9"))).isInstanceOf(LockNotAcquiredException.class);
            assertThat(desk.skip(new Order("9"))).isEmpty();
            assertThat(desk.orElse(new Order("9"))).isEqualTo("later 9");
        }
    }

    @Test
    void givesTheLeaseToAParameter() {
        assertThat(desk.token(null)).isPositive();
    }

    @Test
    void joinsTheLockOfTheCallerAlsoByThis() {
        assertThat(desk.outer(new Order("10"))).isEqualTo("order:10");
        assertThat(isHeld("order:10")).isFalse();
    }

    @Test
    void interceptsMethodsThatABeanInherits() {
        assertThat(desk.inherited()).isEqualTo("inherited");
    }

    @Test
    void replacesPlaceholdersAtRuntime() {
        assertThat(desk.regional()).isEqualTo("region:north");
    }

    @Test
    void readsTheAnnotationOfAnAnnotation() {
        assertThat(desk.composed()).isEqualTo("stock");
    }

    @Test
    void runsTheMethodInAPool() {
        assertThat(desk.pooled()).isEqualTo("pool pooled");
    }

    @Test
    void holdsTheLockUntilAStageCompletes() {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> result = desk.stage(work).toCompletableFuture();
        assertThat(isHeld("stage")).isTrue();
        work.complete("done");
        assertThat(result.join()).isEqualTo("done");
        assertThat(isHeld("stage")).isFalse();
    }

    static String heldNow() {
        Lease lease = CurrentLease.get();
        lease.ensureHeld();
        return lease.name();
    }

    static class BaseDesk {

        @Lock("inherited")
        String inherited() {
            return heldNow();
        }
    }

    @ApplicationScoped
    static class Desk extends BaseDesk {

        @Lock("order:#{#order.id}")
        String pay(Order order) {
            return heldNow();
        }

        @Lock("order:#{#order.id}")
        String fail(Order order) {
            throw new IllegalArgumentException("no money");
        }

        @Lock(name = "order:#{#order.id}", onBusy = OnBusy.SKIP)
        Optional<String> skip(Order order) {
            return Optional.of(heldNow());
        }

        @Lock(name = "order:#{#order.id}", onBusy = OnBusy.FALLBACK, fallback = "later")
        String orElse(Order order) {
            return heldNow();
        }

        private String later(Order order) {
            return "later " + order.id();
        }

        @Lock("token")
        long token(@Nullable Lease lease) {
            return lease == null ? 0 : lease.fencingToken();
        }

        @Lock("order:#{#order.id}")
        String outer(Order order) {
            return pay(order);
        }

        @Lock(name = "region:${desk.region}", waitTime = "${desk.wait}", leaseTime = "${desk.lease:5s}")
        String regional() {
            return heldNow();
        }

        @StockLock
        String composed() {
            return heldNow();
        }

        @Lock(name = "pooled", executor = "pool")
        String pooled() {
            return Thread.currentThread().getName() + " " + heldNow();
        }

        @Lock("stage")
        CompletionStage<String> stage(CompletionStage<String> work) {
            return work;
        }
    }

    @Lock("stock")
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @interface StockLock {}

    @Named("pool")
    @Singleton
    static class Pool implements Executor {

        @Override
        public void execute(Runnable task) {
            new Thread(task, "pool").start();
        }
    }
}
