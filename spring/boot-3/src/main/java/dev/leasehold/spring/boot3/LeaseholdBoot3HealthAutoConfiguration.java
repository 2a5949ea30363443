package dev.leasehold.spring.boot3;

import dev.leasehold.annotation.LeaseholdHealth;
import dev.leasehold.spring.boot.LeaseholdAutoConfiguration;
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
 * Auto-configuration of the health indicator with Boot 3.5; {@code management.health.leasehold.enabled=false} switches
 * it off. With later versions it does nothing, because the classes that it needs are missing.
 */
@AutoConfiguration(after = LeaseholdAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(LeaseholdHealth.class)
@ConditionalOnEnabledHealthIndicator("leasehold")
public final class LeaseholdBoot3HealthAutoConfiguration {

    LeaseholdBoot3HealthAutoConfiguration() {}

    /** A separate class with a lambda, so that all classes can be loaded without the types of Boot 3.5. */
    @Configuration(proxyBeanMethods = false)
    static class Indicator {

        @Bean
        @ConditionalOnMissingBean(name = "leaseholdHealthIndicator")
        HealthIndicator leaseholdHealthIndicator(LeaseholdHealth health) {
            return () -> {
                try {
                    return Health.up().withDetails(health.details()).build();
                } catch (RuntimeException e) {
                    return Health.down(e).build();
                }
            };
        }
    }
}
