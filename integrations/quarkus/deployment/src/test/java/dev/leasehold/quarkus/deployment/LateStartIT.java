package dev.leasehold.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.annotation.CurrentLease;
import dev.leasehold.annotation.Lock;
import dev.leasehold.testkit.EmbeddedRedis;
import io.quarkus.test.QuarkusUnitTest;
import io.smallrye.health.SmallRyeHealthReporter;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An application over the settings of Quarkus' Redis client that starts before its Redis. */
class LateStartIT {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = Applications.withLateRedis(Reports.class)
            .overrideRuntimeConfigKey("quarkus.leasehold.start-without-redis", "true")
            .overrideRuntimeConfigKey("quarkus.leasehold.outage-tolerance", "1m");

    @Inject
    Reports reports;

    @Inject
    SmallRyeHealthReporter health;

    @ConfigProperty(name = "quarkus.redis.hosts")
    String uri;

    private String readiness() {
        return health.getReadiness().getPayload().toString();
    }

    @Test
    void callsAreUnavailableUntilRedisIsThereAndThenWork() throws Exception {
        assertThatThrownBy(reports::write)
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContaining("no answer from Redis");
        assertThat(readiness()).contains("\"name\":\"Leasehold\",\"status\":\"DOWN\"");
        CompletableFuture<String> waiting = CompletableFuture.supplyAsync(reports::writeLater);
        try (EmbeddedRedis redis = Applications.startRedis(uri)) {
            assertThat(waiting.get(1, TimeUnit.MINUTES)).isEqualTo("queued");
            assertThat(reports.write()).isEqualTo("report");
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(readiness()).contains("\"name\":\"Leasehold\",\"status\":\"UP\""));
            assertThat(redis.isRunning()).isTrue();
        }
    }

    @ApplicationScoped
    static class Reports {

        @Lock("report")
        String write() {
            return CurrentLease.get().name();
        }

        @Lock(name = "queued", waitTime = "1m")
        String writeLater() {
            return CurrentLease.get().name();
        }
    }
}
