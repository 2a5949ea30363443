package dev.leasehold.examples.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The Spring examples of the handbook work as documented, in two instances of an application. */
@Tag("long")
@WithRedis
class SpringExamplesIT {

    private static final String EACH_SECOND = "* * * * * *";
    private static final String NEVER = "-";

    @Configuration(proxyBeanMethods = false)
    static class Registry {
        @Bean
        MeterRegistry meters() {
            return new SimpleMeterRegistry();
        }
    }

    private static ConfigurableApplicationContext instance(EmbeddedRedis redis, String cron, Class<?>... additions) {
        SpringApplication application = new SpringApplication(PaymentsApplication.class);
        application.addPrimarySources(List.of(additions));
        application.setDefaultProperties(Map.of(
                "spring.data.redis.host",
                redis.host(),
                "spring.data.redis.port",
                redis.port(),
                "spring.data.redis.password",
                redis.password(),
                "spring.main.banner-mode",
                "off",
                "spring.main.web-application-type",
                "none",
                "report.cron",
                cron));
        return application.run();
    }

    @Test
    void theExamplesWorkInTwoInstances(EmbeddedRedis redis) throws Exception {
        try (ConfigurableApplicationContext one = instance(redis, EACH_SECOND);
                ConfigurableApplicationContext two = instance(redis, EACH_SECOND)) {
            one.getBean(Payments.class).pay(new Order("17", 990));
            two.getBean(Payments.class).pay(new Order("17", 990));
            assertThat(one.getBean(Ledger.class).entries()).containsExactly("paid 17");
            assertThat(two.getBean(Ledger.class).tokens().get(0))
                    .isGreaterThan(one.getBean(Ledger.class).tokens().get(0));
            assertThat(one.getBean(Payments.class).write("monday", null)).isEqualTo("written");
            try (Lease held = two.getBean(Leasehold.class).lock("report:monday").acquire()) {
                assertThat(one.getBean(Payments.class).write("monday", null))
                        .isEqualTo("another instance is writing monday");
            }
            assertThat(one.getBean(Ledger.class).entries()).isEqualTo(List.of("paid 17", "report of monday"));
            two.getBean(Payments.class).transfer("1", "2", null);
            assertThat(two.getBean(Ledger.class).entries()).containsExactly("paid 17", "from 1", "to 2");
            assertThatThrownBy(() -> one.getBean(Payments.class).pay(new Order("", 1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is empty");
            assertThatOneOfThemRunsTheScheduledJob(one, two);
        }
    }

    /** Both schedule it each second; the lock outlives the job by 20 s. */
    private static void assertThatOneOfThemRunsTheScheduledJob(
            ConfigurableApplicationContext one, ConfigurableApplicationContext two) {
        NightlyReport first = one.getBean(NightlyReport.class);
        NightlyReport second = two.getBean(NightlyReport.class);
        await().atMost(Duration.ofSeconds(20))
                .until(() -> first.tokens().size() + second.tokens().size() > 0);
        first.run();
        second.run();
        assertThat(first.tokens().size() + second.tokens().size()).isEqualTo(1);
    }

    @Test
    void theStarterNeedsOnlyAMeterRegistryForMeters(EmbeddedRedis redis) {
        try (ConfigurableApplicationContext application = instance(redis, NEVER, Registry.class)) {
            application.getBean(Payments.class).pay(new Order("17", 990));
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(application
                                    .getBean(MeterRegistry.class)
                                    .get("leasehold.acquired")
                                    .counter()
                                    .count())
                            .isEqualTo(1));
        }
    }
}
