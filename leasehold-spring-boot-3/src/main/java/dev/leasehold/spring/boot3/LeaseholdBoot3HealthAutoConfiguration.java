package dev.leasehold.spring.boot3;

import dev.leasehold.spring.boot.LeaseholdAutoConfiguration;
import dev.leasehold.spring.boot.LeaseholdHealth;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.AbstractHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * The health of the client, with Boot 3.5; switched off by {@code management.health.leasehold.enabled=false}. With later versions it does
 * nothing, for the classes it needs are not there.
 */
@AutoConfiguration(after = LeaseholdAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(LeaseholdHealth.class)
@ConditionalOnEnabledHealthIndicator("leasehold")
public final class LeaseholdBoot3HealthAutoConfiguration {

    LeaseholdBoot3HealthAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(name = "leaseholdHealthIndicator")
    HealthIndicator leaseholdHealthIndicator(LeaseholdHealth health) {
        return new AbstractHealthIndicator("Leasehold gets no answer from Redis") {
            @Override
            protected void doHealthCheck(Health.Builder builder) {
                builder.up().withDetails(health.details());
            }
        };
    }
}
