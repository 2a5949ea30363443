package dev.leasehold.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.annotation.CurrentLease;
import dev.leasehold.annotation.Lock;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** An application that starts before its Redis. */
@WithRedis
class LateStartIT {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final EmbeddedRedis redis;

    LateStartIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    @Singleton
    @Requires(property = "reports")
    static class Reports {
        @Lock("report")
        public String write() {
            return CurrentLease.get().name();
        }

        @Lock(name = "queued", waitTime = "1m")
        public String writeLater() {
            return CurrentLease.get().name();
        }
    }

    private static HealthStatus health(ApplicationContext context) {
        HealthIndicator indicator = context.getBean(LeaseholdHealthIndicator.class);
        HealthResult result = Mono.from(indicator.getResult()).block(LIMIT);
        return result.getStatus();
    }

    private static ApplicationContext start(String property, String uri) {
        Map<String, Object> properties = new HashMap<>(Map.of(
                "bank.prefix",
                "p",
                "micronaut.security.enabled",
                false,
                "reports",
                true,
                "leasehold.start-without-redis",
                true,
                "leasehold.outage-tolerance",
                "1m"));
        properties.put(property, uri);
        return ApplicationContext.run(properties);
    }

    @Test
    void withoutTheOptionTheFailureNamesIt() {
        redis.kill();
        assertThatThrownBy(() -> ApplicationContext.run(Map.of("bank.prefix", "p", "leasehold.uri", redis.uri())))
                .hasStackTraceContaining("cannot be reached")
                .hasStackTraceContaining("set leasehold.start-without-redis=true");
    }

    /** Starts the application, and Redis once it runs. */
    private void worksOnceRedisIsThere(String property) throws Exception {
        redis.kill();
        try (ApplicationContext context = start(property, redis.uri())) {
            Reports reports = context.getBean(Reports.class);
            assertThatThrownBy(reports::write)
                    .isInstanceOf(LockUnavailableException.class)
                    .hasMessageContaining("no answer from Redis")
                    .hasMessageNotContaining("bean");
            assertThat(health(context)).isEqualTo(HealthStatus.DOWN);
            CompletableFuture<String> waiting = CompletableFuture.supplyAsync(reports::writeLater);
            redis.restartEmpty();
            assertThat(waiting.get(1, TimeUnit.MINUTES)).isEqualTo("queued");
            assertThat(reports.write()).isEqualTo("report");
            await().atMost(LIMIT).until(() -> health(context).equals(HealthStatus.UP));
        } finally {
            if (!redis.isRunning()) {
                redis.restartEmpty();
            }
        }
    }

    @Test
    void anApplicationWithAUriStartsBeforeRedis() throws Exception {
        worksOnceRedisIsThere("leasehold.uri");
    }

    @Test
    void anApplicationOverItsOwnClientStartsBeforeRedis() throws Exception {
        worksOnceRedisIsThere("redis.uri");
    }

    @Test
    void aRedisThatIsThereIsUsedAtOnce() {
        try (ApplicationContext context = start("redis.uri", redis.uri())) {
            assertThat(context.getBean(Reports.class).writeLater()).isEqualTo("queued");
        }
    }
}
