package dev.leasehold.spring.boot;

import dev.leasehold.micrometer.LeaseholdMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the meters of the application's client, if Micrometer and leasehold-micrometer are present;
 * {@code leasehold.metrics.enabled=false} switches it off.
 */
@AutoConfiguration(
        before = LeaseholdAutoConfiguration.class,
        afterName = {
            // Its names in Boot 4 and in Boot 3.
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass({MeterRegistry.class, LeaseholdMetrics.class})
@ConditionalOnProperty(prefix = "leasehold", name = "enabled", matchIfMissing = true)
@EnableConfigurationProperties(LeaseholdProperties.class)
public final class LeaseholdMetricsAutoConfiguration {

    LeaseholdMetricsAutoConfiguration() {}

    /** Defines the listener; the client uses all listeners that are beans. */
    @Bean
    @ConditionalOnSingleCandidate(MeterRegistry.class)
    @ConditionalOnMissingBean
    @ConditionalOnProperty(prefix = "leasehold.metrics", name = "enabled", matchIfMissing = true)
    LeaseholdMetrics leaseholdMetrics(MeterRegistry registry, LeaseholdProperties properties) {
        return properties.metrics().lockNames()
                ? LeaseholdMetrics.byLock(registry, Tags.empty())
                : LeaseholdMetrics.of(registry);
    }
}
