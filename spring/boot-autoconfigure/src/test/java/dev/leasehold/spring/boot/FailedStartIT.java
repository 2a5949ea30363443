package dev.leasehold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** An application that cannot start because of Redis says so in one paragraph, with the remedy. */
@WithRedis
class FailedStartIT {

    private final ApplicationContextRunner application;

    FailedStartIT(EmbeddedRedis redis) {
        application = new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(LeaseholdAutoConfiguration.class, DataRedisAutoConfiguration.class))
                .withPropertyValues(
                        "spring.data.redis.host=" + redis.host(),
                        "spring.data.redis.port=" + redis.port(),
                        "spring.data.redis.password=" + redis.password());
    }

    private ApplicationContextRunner over(String client, String property) {
        return application.withPropertyValues("spring.data.redis.client-type=" + client, property);
    }

    private static FailureAnalysis analysisOf(AssertableApplicationContext failed) {
        return new LockUnavailableFailureAnalyzer().analyze(failed.getStartupFailure());
    }

    @Test
    void sentinelsThatCannotBeReachedAreOneParagraphWithAllOfThem() {
        // Ports on which nothing listens, because nothing may.
        application
                .withPropertyValues(
                        "leasehold.uri=redis-sentinel://127.0.0.1:1,127.0.0.1:2,127.0.0.1:3?sentinelMasterId=orders")
                .run(context -> {
                    FailureAnalysis analysis = analysisOf(context);
                    assertThat(analysis.getDescription())
                            .contains("127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3")
                            .doesNotContain("\n");
                    assertThat(analysis.getAction()).contains("leasehold.uri", "leasehold.start-without-redis=true");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void aConnectionOfSpringDataThatLeadsNowhereIsOneParagraph(String client) {
        over(client, "spring.data.redis.port=1").run(context -> {
            assertThat(analysisOf(context).getDescription())
                    .startsWith("Redis cannot be reached over the given client")
                    .doesNotContain("\n");
            assertThat(analysisOf(context).getAction()).contains("leasehold.start-without-redis=true");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void aRefusedLoginIsNotSaidToBeAnOutage(String client) {
        over(client, "spring.data.redis.password=wrong").run(context -> {
            assertThat(analysisOf(context).getDescription())
                    .contains("refused the connection", "WRONGPASS", "Check its user and password")
                    .doesNotContain("\n");
            assertThat(analysisOf(context).getAction()).doesNotContain("start-without-redis");
        });
    }

    @Test
    void aLockThatAnApplicationAcquiresWhenItHasStartedIsNotAFailedStart() {
        Throwable failed = new IllegalStateException(new LockUnavailableException("a", false, "no answer", null));
        assertThat(new LockUnavailableFailureAnalyzer().analyze(failed)).isNull();
    }
}
