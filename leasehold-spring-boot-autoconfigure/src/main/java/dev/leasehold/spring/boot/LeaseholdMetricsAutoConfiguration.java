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
 * The figures of the application's client, if Micrometer and leasehold-micrometer are there; switched off by
 * {@code leasehold.metrics.enabled=false}.
 */
@AutoConfiguration(
        before = LeaseholdAutoConfiguration.class,
        afterName = {
            // Where Boot 4 and Boot 3 have it.
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass({MeterRegistry.class, LeaseholdMetrics.class})
@ConditionalOnProperty(prefix = "leasehold", name = "enabled", matchIfMissing = true)
@EnableConfigurationProperties(LeaseholdProperties.class)
public final class LeaseholdMetricsAutoConfiguration {

    LeaseholdMetricsAutoConfiguration() {}

    /** The client takes all listeners that are beans. */
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
