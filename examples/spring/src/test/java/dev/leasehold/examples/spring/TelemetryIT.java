package dev.leasehold.examples.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.micrometer.LeaseholdMetrics;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** The recipes of the page on telemetry. */
@WithRedis
class TelemetryIT {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final EmbeddedRedis redis;

    TelemetryIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    @Test
    void theFilterAsksForAHistogramOfWaitsOnly() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        LeaseholdMetrics.of(registry);
        assertThat(registry.getMeters())
                .extracting(Meter::getId)
                .allSatisfy(id -> assertThat(Telemetry.histogramOfWaits()
                                .configure(id, DistributionStatisticConfig.NONE)
                                .isPercentileHistogram())
                        .isEqualTo(id.getName().equals("leasehold.wait") ? true : null));
    }

    @Test
    void theGlobalRegistryHasTheMeters() throws Exception {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        Metrics.addRegistry(registry);
        try (Leasehold leasehold = Telemetry.observed(redis.uri());
                Lease lease = leasehold.lock("global").acquire()) {
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(
                                    registry.get("leasehold.held").gauge().value())
                            .isEqualTo(1));
            lease.ensureHeld();
        } finally {
            Metrics.removeRegistry(registry);
            registry.close();
        }
    }

    @Test
    void aLossIsLoggedWithItsFields() throws Exception {
        Logger log = (Logger) LoggerFactory.getLogger("app.locks");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        log.addAppender(lines);
        try (Leasehold leasehold = Leasehold.builder()
                .uri(redis.uri())
                .listener(new Telemetry.LossLog())
                .build()) {
            Lease lease = leasehold.lock("lost").acquire();
            assertThat(leasehold.lock("lost").forceRelease()).isTrue();
            await().atMost(LIMIT).until(() -> !List.copyOf(lines.list).isEmpty());
            assertThat(lines.list)
                    .singleElement()
                    .satisfies(line -> assertThat(line.getKeyValuePairs())
                            .extracting(pair -> pair.key + "=" + pair.value)
                            .containsExactly("lock=lost", "fencingToken=" + lease.fencingToken(), "cause=DELETED"));
        } finally {
            log.detachAppender(lines);
        }
    }

    @Test
    void linesUnderALockHaveItsNameAndToken() throws Exception {
        AtomicReference<String> seen = new AtomicReference<>();
        try (Leasehold leasehold = Leasehold.connect(redis.uri())) {
            Telemetry.draw(leasehold.lock("lottery"), () -> seen.set(MDC.get("lock") + " " + MDC.get("fencingToken")));
        }
        assertThat(seen.get()).matches("lottery \\d{16}");
        assertThat(MDC.get("lock")).isNull();
    }
}
