package dev.leasehold.spring.boot3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.LockOptions;
import dev.leasehold.annotation.CurrentLease;
import dev.leasehold.annotation.Lock;
import dev.leasehold.annotation.LockSetupException;
import dev.leasehold.spring.boot.ConsoleApplications;
import dev.leasehold.spring.boot.ConsoleClient;
import dev.leasehold.spring.boot.LeaseholdEndpoint;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.net.http.HttpResponse;
import java.time.Duration;
import net.javacrumbs.shedlock.core.LockProvider;
import org.junit.jupiter.api.Test;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * An application with Boot 3.5 has the same features as one with Boot 4, from the same jars. These tests cover what
 * Boot may do differently; the full build also runs the tests of the console and of @Lock here.
 */
@WithRedis
class Boot3IT {

    private static final Duration LIMIT = Duration.ofSeconds(60);

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
                .bannerMode(Banner.Mode.OFF)
                .properties(
                        "spring.data.redis.host=" + redis.host(),
                        "spring.data.redis.port=" + redis.port(),
                        "spring.data.redis.password=" + redis.password(),
                        "leasehold.command-timeout=2s",
                        "leasehold.lock.lease-time=9s",
                        "leasehold.lock.format.stock=redisson",
                        "spring.jmx.enabled=true",
                        "management.endpoints.jmx.exposure.include=leasehold,health")
                .run();
    }

    /** Starts an application with a web server, the actuator and the console. */
    private static ConfigurableApplicationContext startWeb(EmbeddedRedis redis) {
        return new SpringApplicationBuilder(ConsoleApplications.Secured.class)
                .web(WebApplicationType.SERVLET)
                .bannerMode(Banner.Mode.OFF)
                .properties(
                        "server.port=0",
                        "leasehold.uri=" + redis.uri(),
                        "leasehold.shutdown.timeout=0",
                        "leasehold.console.enabled=true",
                        "leasehold.console.role=USER",
                        "leasehold.console.actions-role=OPERATOR",
                        "management.health.redis.enabled=false",
                        "management.endpoint.health.show-details=always",
                        "management.endpoints.web.exposure.include=leasehold,health")
                .run();
    }

    @Test
    void locksPropertiesHealthAndEndpointWork(EmbeddedRedis redis) throws Exception {
        assertThat(SpringBootVersion.getVersion()).startsWith("3.5.");
        Lease held;
        try (ConfigurableApplicationContext context = start(Application.class, redis)) {
            assertThat(context.getBean(Reports.class).write("monday")).isEqualTo("report:monday");
            assertThat(context.getBeansOfType(LockProvider.class)).hasSize(1);
            Leasehold leasehold = context.getBean(Leasehold.class);
            assertThat(context.getBean(LockOptions.class).leaseTime()).isEqualTo(Duration.ofSeconds(9));
            try (Lease formatted = leasehold.lock("stock").acquire()) {
                assertThat(redis.command("HLEN", formatted.name())).isEqualTo(1L);
            }
            held = leasehold.lock("report:monday").acquire();
            assertThatThrownBy(() -> context.getBean(Reports.class).write("monday"))
                    .isInstanceOf(LockNotAcquiredException.class);
            LeaseholdEndpoint endpoint = context.getBean(LeaseholdEndpoint.class);
            await().atMost(LIMIT).until(() -> endpoint.describe().held().size() == 1);
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
    void theActuatorServesTheEndpointAndHealth(EmbeddedRedis redis) throws Exception {
        try (ConfigurableApplicationContext context = startWeb(redis)) {
            context.getBean(Leasehold.class).lock("job").acquire();
            ConsoleClient olga = ConsoleClient.of(context).as("olga");
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(
                                    olga.getOfApplication("/actuator/leasehold").body())
                            .contains("\"held\":[", "\"job\""));
            assertThat(olga.getOfApplication("/actuator/health").body()).contains("\"leasehold\":{\"status\":\"UP\"");
        }
    }

    @Test
    void theConsoleServesUsersAndCarriesOutTheirActions(EmbeddedRedis redis) throws Exception {
        try (ConfigurableApplicationContext context = startWeb(redis)) {
            Leasehold leasehold = context.getBean(Leasehold.class);
            leasehold.lock("job").acquire();
            ConsoleClient ulf = ConsoleClient.of(context).as("ulf");
            assertThat(ConsoleClient.of(context).get("/api/session").statusCode())
                    .isEqualTo(401);
            assertThat(ulf.get("/").body()).contains("<title>Leasehold</title>");
            try (ConsoleClient.Stream stream = ulf.watch("screen=now")) {
                stream.until(state -> state.path("locks").size() == 1);
            }
            assertThat(ulf.act("take-away", "job").statusCode()).isEqualTo(403);
            assertThat(leasehold.lock("job").inspect()).isPresent();
            HttpResponse<String> done = ConsoleClient.of(context).as("olga").act("take-away", "job");
            assertThat(done.body()).contains("\"outcome\":\"done\"");
            assertThat(leasehold.lock("job").inspect()).isEmpty();
        }
    }

    @Test
    void anInvalidConfigurationFailsAtStartup(EmbeddedRedis redis) {
        assertThatThrownBy(() -> start(WrongApplication.class, redis)).isInstanceOf(LockSetupException.class);
    }
}
