package dev.leasehold.micronaut;

import dev.leasehold.micrometer.LeaseholdMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;

/** The meters of locks, a listener of the client, if Micrometer and leasehold-micrometer are present. */
@Factory
@Requires(classes = {MeterRegistry.class, LeaseholdMetrics.class})
final class LeaseholdMeters {

    @Singleton
    @Requires(bean = MeterRegistry.class)
    @Requires(property = "leasehold.metrics.enabled", notEquals = "false", defaultValue = "true")
    LeaseholdMetrics meters(MeterRegistry registry, LeaseholdConfiguration configuration) {
        return configuration.metrics().lockNames()
                ? LeaseholdMetrics.byLock(registry, Tags.empty())
                : LeaseholdMetrics.of(registry);
    }
}
