package dev.leasehold.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.QuarkusUnitTest;
import io.smallrye.health.SmallRyeHealthReporter;
import jakarta.inject.Inject;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ClientIT {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = Applications.withRedis()
            .overrideRuntimeConfigKey("quarkus.leasehold.key-prefix", "shop")
            .overrideRuntimeConfigKey("quarkus.leasehold.lock.lease-time", "7s")
            .overrideRuntimeConfigKey("quarkus.leasehold.lock.format.\"order:*\"", "redisson");

    @Inject
    Leasehold leasehold;

    @Inject
    MeterRegistry meters;

    @Inject
    SmallRyeHealthReporter health;

    @Test
    void connectsByTheSettingsOfQuarkusRedis() throws InterruptedException {
        try (Lease lease = leasehold.lock("report").acquire(Duration.ofSeconds(5))) {
            assertThat(lease.isHeld()).isTrue();
            assertThat(leasehold.inspector().find("report")).isPresent();
            assertThat(lease.remaining()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(7));
        }
    }

    @Test
    void locksOfAPatternHaveItsFormat() {
        leasehold.lock("order:17").tryAcquire().orElseThrow().close();
        assertThatThrownBy(() -> leasehold.fairLock("order:17"))
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
}
