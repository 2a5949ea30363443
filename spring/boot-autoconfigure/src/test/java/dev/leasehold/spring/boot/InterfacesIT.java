package dev.leasehold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leasehold;
import dev.leasehold.micrometer.LeaseholdObservations;
import dev.leasehold.shedlock.LeaseholdLockProvider;
import dev.leasehold.springintegration.LeaseholdLockRegistry;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.LockRegistry;

/** Auto-configuration of interfaces of other libraries with the application's one client. */
@WithRedis
class InterfacesIT {

    private final ApplicationContextRunner application;

    InterfacesIT(EmbeddedRedis redis) {
        application = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        LeaseholdAutoConfiguration.class,
                        LeaseholdObservationAutoConfiguration.class,
                        LeaseholdLockRegistryAutoConfiguration.class,
                        LeaseholdShedLockAutoConfiguration.class))
                .withPropertyValues("leasehold.uri=" + redis.uri());
    }

    @Configuration(proxyBeanMethods = false)
    static class Own {
        @Bean
        LockRegistry<Lock> ownRegistry() {
            return new DefaultLockRegistry();
        }

        @Bean
        LockProvider ownProvider() {
            return configuration -> Optional.empty();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Observing {
        private final AtomicInteger started = new AtomicInteger();

        @Bean
        AtomicInteger started() {
            return started;
        }

        @Bean
        ObservationRegistry observations() {
            ObservationRegistry registry = ObservationRegistry.create();
            registry.observationConfig().observationHandler(context -> started.incrementAndGet() > 0);
            return registry;
        }
    }

    private static LockConfiguration job() {
        return new LockConfiguration(Instant.now(), "report", Duration.ofSeconds(30), Duration.ZERO);
    }

    @Test
    void bothUseTheClientOfTheApplication() {
        application.run(context -> {
            Leasehold leasehold = context.getBean(Leasehold.class);
            Lock lock = context.getBean(LeaseholdLockRegistry.class).obtain("17");
            lock.lock();
            assertThat(leasehold.lock("integration:17").inspect()).isPresent();
            lock.unlock();
            SimpleLock job = context.getBean(LockProvider.class).lock(job()).orElseThrow();
            assertThat(leasehold.lock("job:report").inspect()).isPresent();
            job.unlock();
        });
    }

    @Test
    void prefixesAreSetByProperties() {
        application
                .withPropertyValues(
                        "leasehold.lock-registry.name-prefix=orders:",
                        "leasehold.shedlock.name-prefix=nightly:",
                        "leasehold.shedlock.keep-alive=true")
                .run(context -> {
                    Leasehold leasehold = context.getBean(Leasehold.class);
                    Lock lock = context.getBean(LeaseholdLockRegistry.class).obtain("17");
                    lock.lock();
                    assertThat(leasehold.lock("orders:17").inspect()).isPresent();
                    lock.unlock();
                    SimpleLock job =
                            context.getBean(LockProvider.class).lock(job()).orElseThrow();
                    assertThat(leasehold.lock("nightly:report").inspect()).isPresent();
                    job.unlock();
                });
    }

    @Test
    void beansOfTheApplicationTakePrecedence() {
        application
                .withUserConfiguration(Own.class)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(LockRegistry.class)
                        .hasSingleBean(LockProvider.class)
                        .doesNotHaveBean(LeaseholdLockRegistry.class)
                        .doesNotHaveBean(LeaseholdLockProvider.class));
    }

    @Test
    void eachIsSwitchedOffSeparately() {
        application
                .withPropertyValues("leasehold.lock-registry.enabled=false")
                .run(context ->
                        assertThat(context).doesNotHaveBean(LockRegistry.class).hasSingleBean(LockProvider.class));
        application
                .withPropertyValues("leasehold.shedlock.enabled=false")
                .run(context ->
                        assertThat(context).doesNotHaveBean(LockProvider.class).hasSingleBean(LockRegistry.class));
    }

    /** Covers Boot 3.5, whose Spring Integration has no DistributedLock. */
    @Test
    void withoutTheirDependenciesThereAreNone() {
        application
                .withClassLoader(new FilteredClassLoader(DistributedLock.class))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(Leasehold.class)
                        .doesNotHaveBean("leaseholdLockRegistry"));
        application
                .withClassLoader(new FilteredClassLoader("org.springframework.integration", "net.javacrumbs"))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Leasehold.class));
    }

    @Test
    void anObservationRegistryIsUsedIfThereIsOne() {
        application.run(context -> assertThat(context).doesNotHaveBean(LeaseholdObservations.class));
        application.withUserConfiguration(Observing.class).run(context -> {
            context.getBean(Leasehold.class).lock("observed").acquire().close();
            assertThat(context.getBean("started", AtomicInteger.class).get()).isPositive();
        });
        application
                .withUserConfiguration(Observing.class)
                .withPropertyValues("leasehold.observations.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LeaseholdObservations.class));
    }
}
