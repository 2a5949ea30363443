package dev.leasehold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.annotation.CurrentLease;
import dev.leasehold.annotation.Lock;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import redis.clients.jedis.exceptions.JedisException;

/** An application that starts before its Redis. */
@WithRedis
class LateStartIT {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final EmbeddedRedis redis;

    LateStartIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

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

    @Configuration(proxyBeanMethods = false)
    static class Application {
        @Bean
        Reports reports() {
            return new Reports();
        }
    }

    private static ApplicationContextRunner application(String... properties) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        LeaseholdAutoConfiguration.class,
                        LeaseholdHealthAutoConfiguration.class,
                        DataRedisAutoConfiguration.class))
                .withUserConfiguration(Application.class)
                .withPropertyValues("leasehold.start-without-redis=true", "leasehold.outage-tolerance=1m")
                .withPropertyValues(properties);
    }

    /** Starts the application, and Redis once it runs. */
    private void worksOnceRedisIsThere(ApplicationContextRunner application) {
        redis.kill();
        application.run(context -> {
            try {
                assertThat(context).hasNotFailed();
                Reports reports = context.getBean(Reports.class);
                HealthIndicator health = context.getBean("leaseholdHealthIndicator", HealthIndicator.class);
                assertThatThrownBy(reports::write)
                        .isInstanceOf(LockUnavailableException.class)
                        .hasMessageContaining("no answer from Redis")
                        .hasMessageNotContaining("bean");
                assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
                CompletableFuture<String> waiting = CompletableFuture.supplyAsync(reports::writeLater);
                redis.restartEmpty();
                assertThat(waiting.get(1, TimeUnit.MINUTES)).isEqualTo("queued");
                assertThat(reports.write()).isEqualTo("report");
                await().atMost(LIMIT).until(() -> health.health().getStatus().equals(Status.UP));
            } finally {
                if (!redis.isRunning()) {
                    redis.restartEmpty();
                }
            }
        });
    }

    private String[] springData(String client) {
        return new String[] {
            "spring.data.redis.client-type=" + client,
            "spring.data.redis.host=" + redis.host(),
            "spring.data.redis.port=" + redis.port(),
            "spring.data.redis.password=" + redis.password()
        };
    }

    @Test
    void anApplicationWithAUriStartsBeforeRedis() {
        worksOnceRedisIsThere(application("leasehold.uri=" + redis.uri()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void anApplicationOverSpringDataStartsBeforeRedis(String client) {
        worksOnceRedisIsThere(application(springData(client)));
    }

    @Test
    void anApplicationOverSpringDataWhoseClusterIsAwayStarts() {
        redis.kill();
        try {
            application(
                            "spring.data.redis.cluster.nodes=" + redis.host() + ":" + redis.port(),
                            "spring.data.redis.timeout=1s")
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        assertThatThrownBy(context.getBean(Reports.class)::write)
                                .isInstanceOf(LockUnavailableException.class)
                                .hasMessageNotContaining("bean");
                    });
        } finally {
            redis.restartEmpty();
        }
    }

    /** Spring Data creates a client of Jedis that connects at once, which the documentation says. */
    @ParameterizedTest
    @CsvSource({
        "cluster.nodes=127.0.0.1:1, cluster.max-redirects=1",
        "sentinel.nodes=127.0.0.1:1, sentinel.master=orders"
    })
    void theConnectionFactoryOfJedisItselfNeedsAClusterOrSentinelsAtTheStart(String nodes, String more) {
        application("spring.data.redis.client-type=jedis", "spring.data.redis." + nodes, "spring.data.redis." + more)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(BeanCreationException.class)
                        .hasMessageContaining("redisConnectionFactory")
                        .hasCauseInstanceOf(JedisException.class));
    }

    @Test
    void aTransportOfTheApplicationThatNoRedisCouldMendFailsTheStart() {
        application()
                .withBean(
                        RedisTransport.class,
                        () -> {
                            throw new IllegalArgumentException("a wrong setting");
                        },
                        definition -> definition.setLazyInit(true))
                .run(context -> assertThat(context).getFailure().hasRootCauseMessage("a wrong setting"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void aRedisThatIsThereIsUsedAtOnce(String client) {
        application(springData(client)).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(Reports.class).writeLater()).isEqualTo("queued");
        });
    }
}
