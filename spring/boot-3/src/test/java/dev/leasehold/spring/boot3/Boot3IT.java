package dev.leasehold.spring.boot3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.annotation.CurrentLease;
import dev.leasehold.annotation.Lock;
import dev.leasehold.annotation.LockSetupException;
import dev.leasehold.spring.boot.LeaseholdEndpoint;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.time.Duration;
import net.javacrumbs.shedlock.core.LockProvider;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application with Boot 3.5 has the same features as one with Boot 4, from the same jars. */
@WithRedis
class Boot3IT {

    static class Reports {
        @Lock("report:#{#day}")
        public String write(String day) {
            return CurrentLease.get().name();
        }
    }

    static class Wrong {
        @Lock("x")
        public final void cannotBeProxied() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        @Bean
        Reports reports() {
            return new Reports();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class WrongApplication {
        @Bean
        Wrong wrong() {
            return new Wrong();
        }
    }

    private static ConfigurableApplicationContext start(Class<?> application, EmbeddedRedis redis) {
        return new SpringApplicationBuilder(application)
                .web(WebApplicationType.NONE)
                .bannerMode(org.springframework.boot.Banner.Mode.OFF)
                .properties(
                        "spring.data.redis.host=" + redis.host(),
                        "spring.data.redis.port=" + redis.port(),
                        "leasehold.command-timeout=2s",
                        "spring.jmx.enabled=true",
                        "management.endpoints.jmx.exposure.include=leasehold,health")
                .run();
    }

    @Test
    void locksHealthAndEndpointWork(EmbeddedRedis redis) throws Exception {
        assertThat(SpringBootVersion.getVersion()).startsWith("3.5.");
        Lease held;
        try (ConfigurableApplicationContext context = start(Application.class, redis)) {
            assertThat(context.getBean(Reports.class).write("monday")).isEqualTo("report:monday");
            assertThat(context.getBeansOfType(LockProvider.class)).hasSize(1);
            held = context.getBean(Leasehold.class).lock("report:monday").acquire();
            assertThatThrownBy(() -> context.getBean(Reports.class).write("monday"))
                    .isInstanceOf(LockNotAcquiredException.class);
            LeaseholdEndpoint endpoint = context.getBean(LeaseholdEndpoint.class);
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> endpoint.describe().held().size() == 1);
            HealthIndicator health = context.getBean("leaseholdHealthIndicator", HealthIndicator.class);
            assertThat(health.health().getStatus()).isEqualTo(Status.UP);
            assertThat(health.health().getDetails()).containsEntry("held", 1);
            held.close();
            redis.kill();
            assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
            redis.restartEmpty();
        }
        assertThat(held.isHeld()).isFalse();
    }

    @Test
    void anInvalidConfigurationFailsAtStartup(EmbeddedRedis redis) {
        assertThatThrownBy(() -> start(WrongApplication.class, redis)).isInstanceOf(LockSetupException.class);
    }
}
