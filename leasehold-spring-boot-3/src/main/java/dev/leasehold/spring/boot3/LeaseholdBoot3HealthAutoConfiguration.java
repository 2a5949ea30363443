package dev.leasehold.spring.boot3;

import dev.leasehold.spring.boot.LeaseholdAutoConfiguration;
import dev.leasehold.spring.boot.LeaseholdHealth;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The health of the client, with Boot 3.5; switched off by {@code management.health.leasehold.enabled=false}. With later versions it does
 * nothing, for the classes it needs are not there.
 */
@AutoConfiguration(after = LeaseholdAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(LeaseholdHealth.class)
@ConditionalOnEnabledHealthIndicator("leasehold")
public final class LeaseholdBoot3HealthAutoConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.spring");

    LeaseholdBoot3HealthAutoConfiguration() {}

    /** Of its own, and a lambda, so that all classes can be loaded where the types of Boot 3.5 are not. */
    @Configuration(proxyBeanMethods = false)
    static class Indicator {

        @Bean
        @ConditionalOnMissingBean(name = "leaseholdHealthIndicator")
        HealthIndicator leaseholdHealthIndicator(LeaseholdHealth health) {
            return () -> {
                try {
                    return Health.up().withDetails(health.details()).build();
                } catch (RuntimeException e) {
                    LOG.warn("Leasehold gets no answer from Redis", e);
                    return Health.down(e).build();
                }
            };
        }
    }
}
