package dev.leasehold.spring.boot;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Credentials;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.LockOptions;
import dev.leasehold.annotation.CurrentLease;
import dev.leasehold.annotation.Lock;
import dev.leasehold.annotation.LockGate;
import dev.leasehold.annotation.LockSetupException;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spring.EnableLocks;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.InMemoryLeasehold;
import dev.leasehold.testkit.ManualClock;
import dev.leasehold.testkit.WithRedis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.env.PropertiesPropertySourceLoader;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;

/** The auto-configuration of an application, and its shutdown. */
@WithRedis
class LeaseholdAutoConfigurationIT {

    private final EmbeddedRedis redis;
    private final ApplicationContextRunner alone =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(LeaseholdAutoConfiguration.class));
    private final ApplicationContextRunner overSpringData;

    LeaseholdAutoConfigurationIT(EmbeddedRedis redis) {
        this.redis = redis;
        overSpringData = new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(LeaseholdAutoConfiguration.class, DataRedisAutoConfiguration.class))
                .withPropertyValues(
                        "spring.data.redis.host=" + redis.host(),
                        "spring.data.redis.port=" + redis.port(),
                        "spring.data.redis.password=" + redis.password());
    }

    static class Reports {
        final CountDownLatch entered = new CountDownLatch(1);
        final CountDownLatch mayEnd = new CountDownLatch(1);

        @Lock("report:#{#day}")
        public String write(String day) {
            return CurrentLease.get().name();
        }

        @Lock("slow")
        public String slowly() throws InterruptedException {
            entered.countDown();
            return mayEnd.await(20, TimeUnit.SECONDS) && CurrentLease.get().isHeld() ? "held to the end" : "lost";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {
        final Reports target = new Reports();

        @Bean
        Reports reports() {
            return target;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void theApplicationsOwnConnectionIsUsedByDefault(String client) {
        overSpringData
                .withUserConfiguration(Application.class)
                .withPropertyValues("leasehold.key-prefix=mine", "spring.data.redis.client-type=" + client)
                .run(context -> {
                    assertThat(context.getBean(RedisConnectionFactory.class)
                                    .getClass()
                                    .getPackageName())
                            .endsWith("." + client);
                    assertThat(context).hasNotFailed().hasSingleBean(RedisTransport.class);
                    assertThat(context.getBean(Reports.class).write("monday")).isEqualTo("report:monday");
                    try (Lease held = context.getBean(Leasehold.class)
                            .lock("report:monday")
                            .acquire()) {
                        assertThatThrownBy(() -> context.getBean(Reports.class).write("monday"))
                                .isInstanceOf(LockNotAcquiredException.class);
                    }
                    assertThat(redis.command("KEYS", "mine:*").toString()).contains("report:monday");
                });
    }

    @Test
    void aUriOfItsOwnIsUsedInstead() {
        alone.withUserConfiguration(Application.class)
                .withPropertyValues("leasehold.uri=" + redis.uri(), "leasehold.client-name=reports")
                .run(context -> {
                    assertThat(context).hasNotFailed().doesNotHaveBean(RedisTransport.class);
                    assertThat(context.getBean(Reports.class).write("monday")).isEqualTo("report:monday");
                    assertThat(redis.command("CLIENT", "LIST").toString()).contains("name=reports");
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class Rotating {
        @Bean
        Credentials.Supplier tokens() {
            return () -> new Credentials("rotating", "s3cret");
        }
    }

    /** Suppliers of something, whatever their declarations say or do not say of it. */
    @Configuration(proxyBeanMethods = false)
    static class Suppliers {
        @Bean
        @SuppressWarnings("rawtypes")
        Supplier raw() {
            return () -> "raw";
        }

        @Bean
        Supplier<?> wildcard() {
            return () -> "wildcard";
        }

        @Bean
        <T> Supplier<T> unresolved() {
            return () -> null;
        }

        @Bean
        Object hidden() {
            Supplier<String> hidden = () -> "hidden";
            return hidden;
        }

        @Bean
        Object proxied() {
            return java.lang.reflect.Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Supplier.class}, (proxy, method, args) -> "proxied");
        }
    }

    @Test
    void otherSuppliersOfTheApplicationAreNotTakenForCredentials() {
        alone.withUserConfiguration(Suppliers.class)
                .withPropertyValues("leasehold.uri=" + redis.uri())
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    context.getBean(Leasehold.class).lock("report").acquire().close();
                });
    }

    @Test
    void aSupplierOfCredentialsIsUsedWithAUri() {
        redis.command("ACL", "SETUSER", "rotating", "on", ">s3cret", "~*", "&*", "+@all");
        alone.withUserConfiguration(Rotating.class)
                .withPropertyValues("leasehold.uri=redis://" + redis.host() + ":" + redis.port())
                .run(context -> {
                    context.getBean(Leasehold.class).lock("report").acquire().close();
                    assertThat(redis.command("CLIENT", "LIST").toString()).contains("user=rotating");
                });
        overSpringData
                .withUserConfiguration(Rotating.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("credentials(...) cannot be combined with transport(...)"));
    }

    static class Farewell {
        private static final AtomicBoolean HELD = new AtomicBoolean();

        @EventListener(ContextClosedEvent.class)
        @Lock("farewell")
        public void sayIt() {
            HELD.set(CurrentLease.get().isHeld());
        }
    }

    @Test
    void theListenerOfTheShutdownMayHaveALock() {
        alone.withUserConfiguration(Farewell.class)
                .withPropertyValues("leasehold.uri=" + redis.uri())
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(Farewell.HELD).isTrue();
    }

    @Test
    void withoutUriAndConnectionTheErrorNamesWhatIsMissing() {
        alone.run(context -> assertThat(context.getStartupFailure())
                .rootCause()
                .hasMessageContaining("set leasehold.uri, or add spring-boot-starter-data-redis"));
    }

    @Test
    void theDefaultsOfPropertiesAreThoseOfTheLibrary() {
        alone.withPropertyValues("leasehold.uri=" + redis.uri())
                .run(context -> assertThat(context.getBean(LockOptions.class)).isEqualTo(LockOptions.defaults()));
        alone.withPropertyValues(
                        "leasehold.uri=" + redis.uri(),
                        "leasehold.lock.lease-time=9s",
                        "leasehold.lock.renewal-ratio=0.5",
                        "leasehold.lock.max-renewals=7",
                        "leasehold.lock.max-hold=1m")
                .run(context -> {
                    LockOptions options = context.getBean(LockOptions.class);
                    assertThat(options.leaseTime()).isEqualTo(Duration.ofSeconds(9));
                    assertThat(options.renewal().ratio()).isEqualTo(0.5);
                    assertThat(options.renewal().times()).isEqualTo(7);
                    assertThat(options.maxHold()).isEqualTo(Duration.ofMinutes(1));
                });
    }

    @Test
    void locksOfAPatternHaveItsFormat() {
        alone.withPropertyValues("leasehold.uri=" + redis.uri())
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(propertiesFile("leasehold.lock.format[order\\:*]=redisson")))
                .run(context -> {
                    Leasehold leasehold = context.getBean(Leasehold.class);
                    try (Lease held = leasehold.lock("order:17").acquire()) {
                        assertThat(redis.command("HLEN", held.name())).isEqualTo(1L);
                    }
                    assertThatThrownBy(() -> leasehold.fairLock("order:17"))
                            .isInstanceOf(UnsupportedOperationException.class)
                            .hasMessageContaining("redisson");
                });
        alone.withPropertyValues("leasehold.uri=" + redis.uri(), "leasehold.lock.format.stock=redission")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("no lock format 'redission'"));
    }

    private static PropertySource<?> propertiesFile(String text) {
        try {
            return new PropertiesPropertySourceLoader()
                    .load("application.properties", new ByteArrayResource(text.getBytes(ISO_8859_1)))
                    .get(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void anInvalidValueFailsAtStartup() {
        alone.withPropertyValues("leasehold.uri=" + redis.uri(), "leasehold.lock.lease-time=1ms")
                .run(context ->
                        assertThat(context.getStartupFailure()).rootCause().hasMessageContaining("too short"));
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnClient {
        @Bean
        Leasehold own() {
            return InMemoryLeasehold.create(ManualClock.create());
        }
    }

    @Test
    void aClientOfTheApplicationTakesPrecedence() {
        alone.withUserConfiguration(OwnClient.class, Application.class).run(context -> {
            assertThat(context.getBean(Leasehold.class)).isInstanceOf(InMemoryLeasehold.class);
            assertThat(context.getBean(Reports.class).write("x")).isEqualTo("report:x");
        });
        alone.withPropertyValues("leasehold.enabled=false")
                .run(context ->
                        assertThat(context).doesNotHaveBean(Leasehold.class).doesNotHaveBean(LockGate.class));
    }

    @Configuration(proxyBeanMethods = false)
    static class Customized {
        @Bean
        LeaseholdBuilderCustomizer prefix() {
            return builder -> builder.keyPrefix("customized");
        }
    }

    @Test
    void aCustomizerOverridesProperties() {
        alone.withUserConfiguration(Customized.class, Application.class)
                .withPropertyValues("leasehold.uri=" + redis.uri())
                .run(context -> {
                    context.getBean(Reports.class).write("x");
                    assertThat(redis.command("KEYS", "customized:*").toString()).contains("report:x");
                });
    }

    /** The shutdown refuses new locks, waits, releases and closes. */
    @Test
    void aShutdownWaitsForTheHoldersOfLocks() {
        overSpringData.withUserConfiguration(Application.class).run(context -> {
            Reports reports = context.getBean(Reports.class);
            Reports target = context.getBean(Application.class).target;
            CompletableFuture<String> running = CompletableFuture.supplyAsync(() -> {
                try {
                    return reports.slowly();
                } catch (InterruptedException e) {
                    return "interrupted";
                }
            });
            assertThat(target.entered.await(20, TimeUnit.SECONDS)).isTrue();
            LockGate gate = context.getBean(LockGate.class);
            CompletableFuture<Void> closed = CompletableFuture.runAsync(
                    () -> ((ConfigurableApplicationContext) context.getSourceApplicationContext()).close());
            await().atMost(Duration.ofSeconds(20)).until(gate::isShut);
            assertThatThrownBy(() -> reports.write("late"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("shutting down");
            assertThat(closed).isNotDone();
            target.mayEnd.countDown();
            assertThat(running.get(20, TimeUnit.SECONDS)).isEqualTo("held to the end");
            closed.get(20, TimeUnit.SECONDS);
            try (Leasehold other = Leasehold.connect(redis.uri())) {
                assertThat(other.lock("slow").tryAcquire()).isPresent();
            }
        });
    }

    @Test
    void aLockThatIsHeldForTooLongIsReleasedAtShutdown() {
        overSpringData.withPropertyValues("leasehold.shutdown.timeout=0s").run(context -> {
            Lease held = context.getBean(Leasehold.class).lock("stuck").acquire();
            ((ConfigurableApplicationContext) context.getSourceApplicationContext()).close();
            assertThat(held.isHeld()).isFalse();
            try (Leasehold other = Leasehold.connect(redis.uri())) {
                assertThat(other.lock("stuck").tryAcquire()).isPresent();
            }
        });
    }

    /** Covers a test context that is paused, and one that is stopped for a checkpoint. */
    @Test
    void aContextThatIsStoppedAndStartedAgainWorks() {
        overSpringData.withUserConfiguration(Application.class).run(context -> {
            ConfigurableApplicationContext source =
                    (ConfigurableApplicationContext) context.getSourceApplicationContext();
            context.getBean(LeaseholdShutdown.class).stop();
            assertThatThrownBy(() -> context.getBean(Reports.class).write("x")).hasMessageContaining("shutting down");
            context.getBean(LeaseholdShutdown.class).start();
            assertThat(context.getBean(Reports.class).write("x")).isEqualTo("report:x");
            assertThat(source.isActive()).isTrue();
        });
    }

    static class Stock {
        @Lock("stock")
        @Transactional
        public void take() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(order = 0)
    static class TransactionsOutside {
        @Bean
        Stock stock() {
            return new Stock();
        }

        @Bean
        PlatformTransactionManager transactions() {
            return new AbstractPlatformTransactionManager() {
                @Override
                protected Object doGetTransaction() {
                    return new Object();
                }

                @Override
                protected void doBegin(
                        Object transaction, org.springframework.transaction.TransactionDefinition definition) {}

                @Override
                protected void doCommit(org.springframework.transaction.support.DefaultTransactionStatus status) {}

                @Override
                protected void doRollback(org.springframework.transaction.support.DefaultTransactionStatus status) {}
            };
        }
    }

    @Test
    void aReversedOrderFailsAtStartupWithAnExplanation() {
        alone.withUserConfiguration(TransactionsOutside.class)
                .withPropertyValues("leasehold.uri=" + redis.uri())
                .run(context -> {
                    assertThat(context.getStartupFailure())
                            .isInstanceOf(LockSetupException.class)
                            .hasMessageContaining("begins its transaction before it acquires the lock");
                    assertThat(new LockSetupFailureAnalyzer()
                                    .analyze(context.getStartupFailure())
                                    .getDescription())
                            .contains("Stock.take()");
                });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableLocks(order = 5, proxyTargetClass = true)
    static class OwnOrder {}

    @Test
    void anOrderOfTheApplicationTakesPrecedence() {
        alone.withUserConfiguration(OwnOrder.class)
                .withPropertyValues("leasehold.uri=" + redis.uri())
                .run(context -> assertThat(
                                ((org.springframework.core.Ordered) context.getBean("dev.leasehold.spring.lockAdvisor"))
                                        .getOrder())
                        .isEqualTo(5));
    }

    @Test
    void theActuatorReportsHeldLocksAndWhetherRedisAnswers() {
        alone.withConfiguration(AutoConfigurations.of(
                        LeaseholdEndpointAutoConfiguration.class, LeaseholdHealthAutoConfiguration.class))
                .withPropertyValues(
                        "leasehold.uri=" + redis.uri(),
                        "leasehold.command-timeout=2s",
                        "spring.jmx.enabled=true",
                        "management.endpoints.jmx.exposure.include=leasehold")
                .run(context -> {
                    LeaseholdEndpoint endpoint = context.getBean(LeaseholdEndpoint.class);
                    HealthIndicator health = context.getBean(HealthIndicator.class);
                    try (Lease held = context.getBean(Leasehold.class)
                            .lock("held")
                            .ownedBy("me")
                            .acquire()) {
                        await().atMost(Duration.ofSeconds(20))
                                .untilAsserted(
                                        () -> assertThat(endpoint.describe().held())
                                                .containsExactly(new LeaseholdEndpoint.HeldLock("held", "me", 1)));
                        assertThat(health.health().getStatus()).isEqualTo(Status.UP);
                        assertThat(health.health().getDetails()).containsEntry("held", 1);
                    }
                    await().atMost(Duration.ofSeconds(20))
                            .until(() -> endpoint.describe().held().isEmpty());
                    redis.kill();
                    assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
                });
        redis.restartEmpty();
    }

    @Test
    void theEndpointExistsOnlyIfItIsExposed() {
        alone.withConfiguration(AutoConfigurations.of(
                        LeaseholdEndpointAutoConfiguration.class, LeaseholdHealthAutoConfiguration.class))
                .withPropertyValues("leasehold.uri=" + redis.uri(), "management.health.leasehold.enabled=false")
                .run(context -> assertThat(context)
                        .doesNotHaveBean(LeaseholdEndpoint.class)
                        .doesNotHaveBean(HealthIndicator.class));
    }
}
