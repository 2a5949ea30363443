package dev.leasehold.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Credentials;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.annotation.Lock;
import dev.leasehold.recipes.DistributedLatch;
import dev.leasehold.recipes.Latches;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.arc.Unremovable;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.QuarkusUnitTest;
import io.smallrye.health.SmallRyeHealthReporter;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import jakarta.transaction.Status;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The client, methods under locks, and their transactions in one application, because Quarkus builds one for each class. */
class ApplicationIT {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = Applications.withRedis(
                    Order.class,
                    Desk.class,
                    BaseDesk.class,
                    StockLock.class,
                    Pool.class,
                    Counter.class,
                    Sales.class,
                    Shapes.class,
                    BaseShapes.class,
                    HasDefault.class,
                    Hidden.class,
                    Visible.class,
                    Suppliers.class)
            .overrideRuntimeConfigKey("quarkus.leasehold.key-prefix", "shop")
            .overrideRuntimeConfigKey("quarkus.leasehold.lock.lease-time", "7s")
            .overrideRuntimeConfigKey("quarkus.leasehold.lock.format.\"legacy:*\"", "redisson")
            .overrideRuntimeConfigKey("desk.wait", "5s")
            .overrideRuntimeConfigKey("desk.region", "north");

    @Inject
    Leasehold leasehold;

    @Inject
    MeterRegistry meters;

    @Inject
    SmallRyeHealthReporter health;

    @Inject
    Desk desk;

    @Inject
    Counter counter;

    @Inject
    Sales sales;

    @Inject
    Shapes shapes;

    @Inject
    Visible visible;

    @Inject
    Instance<Credentials.Supplier> credentials;

    @BeforeEach
    void forget() {
        counter.heldAtEnd.clear();
    }

    private boolean isHeld(String name) {
        return leasehold.lock(name).inspect().isPresent();
    }

    @Test
    void connectsByTheSettingsOfQuarkusRedis() throws InterruptedException {
        try (Lease lease = leasehold.lock("report").acquire(Duration.ofSeconds(5))) {
            assertThat(lease.isHeld()).isTrue();
            assertThat(leasehold.lock("report").inspect()).isPresent();
            assertThat(lease.remaining()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(7));
        }
    }

    @Test
    void aLatchIsReachedThroughTheProxyOfTheClient() {
        DistributedLatch latch = Latches.of(leasehold).latch("loaded");
        assertThat(latch.trySet(1, Duration.ofMinutes(1))).isTrue();
        assertThat(latch.countDown()).isZero();
    }

    @Test
    void locksOfAPatternHaveItsFormat() {
        leasehold.lock("legacy:17").tryAcquire().orElseThrow().close();
        assertThatThrownBy(() -> leasehold.fairLock("legacy:17"))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("redisson");
    }

    @Test
    void registersMetersAtTheRegistryOfMicrometer() {
        leasehold.lock("metered").tryAcquire().orElseThrow().close();
        await().atMost(LIMIT)
                .until(() -> meters.find("leasehold.acquired").functionCounter() != null
                        || meters.find("leasehold.acquired").counter() != null);
    }

    @Test
    void isReadyWhileRedisAnswers() {
        // The events of other tests may arrive late.
        await().atMost(LIMIT)
                .untilAsserted(
                        () -> assertThat(health.getReadiness().getPayload().toString())
                                .contains("\"name\":\"Leasehold\",\"status\":\"UP\"", "\"held\":\"0\""));
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
    @SuppressWarnings("unchecked")
    void interceptsMethodsOfEveryShapeOnce() {
        Supplier<String> erased = shapes;
        assertThat(erased.get()).isEqualTo("get");
        BaseShapes<String> base = shapes;
        assertThat(base.narrowed()).isEqualTo("narrow");
        assertThat(base.taken("x")).isEqualTo("taken:x");
        assertThat(base.generic("x")).isEqualTo("generic:x");
        assertThat(visible.inherited()).isEqualTo("hidden");
        assertThat(isHeld("get")).isFalse();
    }

    @Test
    void interceptsCallsByThisWhereverTheyAre() {
        assertThat(shapes.byThis()).isEqualTo("get");
        assertThat(shapes.inLambda()).isEqualTo("get");
        assertThat(shapes.byReference()).isEqualTo("narrow");
        assertThat(shapes.inInnerClass()).isEqualTo("get");
        assertThat(shapes.ofInterface()).isEqualTo("get");
    }

    @Test
    void doesNotTakeOtherSuppliersForCredentials() {
        assertThat(credentials.isUnsatisfied()).isTrue();
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

    @Test
    void releasesTheLockAfterTheTransactionOfTheMethod() {
        counter.increment();
        assertThat(counter.heldAtEnd).containsExactly(true);
        assertThat(isHeld("counter")).isFalse();
    }

    @Test
    void refusesACallInATransactionThatWouldOutliveTheLock() {
        assertThatThrownBy(() -> QuarkusTransaction.requiringNew().run(counter::increment))
                .hasStackTraceContaining("is refused: its caller has a transaction open");
    }

    @Test
    void refusesAUniInATransactionThatWouldOutliveTheLock() {
        assertThatThrownBy(() -> QuarkusTransaction.requiringNew()
                        .run(() -> desk.uni().await().atMost(LIMIT)))
                .hasStackTraceContaining("is refused: its caller has a transaction open");
        assertThat(desk.uni().await().atMost(LIMIT)).isEqualTo("uni");
    }

    @Test
    void locksWhatRunsAfterTheEndOfATransaction() {
        sales.sell(new Sales.Sale(false));
        assertThat(sales.noted)
                .containsExactlyInAnyOrder("committed after", "completed after", "synchronization after");
        sales.noted.clear();
        assertThatThrownBy(() -> sales.sell(new Sales.Sale(true))).hasMessage("sold out");
        assertThat(sales.noted)
                .containsExactlyInAnyOrder("rolled back after", "completed after", "synchronization after");
        assertThat(isHeld("after")).isFalse();
    }

    @Test
    void locksATransactionOfItsOwnInsideOfAnother() {
        QuarkusTransaction.requiringNew().run(counter::incrementOnItsOwn);
        assertThat(counter.heldAtEnd).containsExactly(true);
    }

    @Test
    void holdsTheLockUntilTheTransactionOfTheCallerEnds() {
        QuarkusTransaction.requiringNew().run(() -> {
            counter.incrementWithCaller();
            assertThat(isHeld("counter")).isTrue();
        });
        assertThat(counter.heldAtEnd).containsExactly(true);
        assertThat(isHeld("counter")).isFalse();
    }

    @Test
    void doesNotCommitATransactionThatLostItsLock() {
        assertThatThrownBy(() -> QuarkusTransaction.requiringNew().run(() -> {
                    counter.incrementForShort();
                    await().atMost(Duration.ofSeconds(30)).until(() -> !isHeld("counter"));
                }))
                .hasStackTraceContaining(LeaseLostException.class.getName());
        assertThat(counter.statusAtEnd).isEqualTo(Status.STATUS_ROLLEDBACK);
    }

    @Lock("stock")
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @interface StockLock {}

    interface HasDefault {

        String get();

        default String ofInterface() {
            return get();
        }
    }

    static class Hidden {

        @Lock("hidden")
        public String inherited() {
            return BaseDesk.heldNow();
        }
    }

    /** The compiler gives it a public method that calls that of the class above, which is not public. */
    @Singleton
    public static class Visible extends Hidden {}

    /** Beans that supply something else. */
    @Singleton
    static class Suppliers {

        @Produces
        @Singleton
        @Unremovable
        @Named("raw")
        @SuppressWarnings("rawtypes")
        Supplier raw() {
            return () -> "raw";
        }

        @Produces
        @Singleton
        @Unremovable
        Supplier<Integer> number() {
            return () -> 1;
        }
    }

    @Named("pool")
    @Singleton
    static class Pool implements Executor {

        @Override
        public void execute(Runnable task) {
            new Thread(task, "pool").start();
        }
    }
}
