package dev.leasehold.spring.boot;

import dev.leasehold.annotation.LeaseholdHealth;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the health indicator with Boot 4; {@code management.health.leasehold.enabled=false} switches it
 * off.
 */
@AutoConfiguration(after = LeaseholdAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(LeaseholdHealth.class)
@ConditionalOnEnabledHealthIndicator("leasehold")
public final class LeaseholdHealthAutoConfiguration {

    LeaseholdHealthAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(name = "leaseholdHealthIndicator")
    HealthIndicator leaseholdHealthIndicator(LeaseholdHealth health) {
        return new LeaseholdHealthIndicator(health);
    }
}
