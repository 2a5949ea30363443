package dev.leasehold.quarkus.internal;

import dev.leasehold.micrometer.LeaseholdMetrics;
import dev.leasehold.quarkus.LeaseholdRuntimeConfig;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/**
 * Produces the listener that registers meters; the client uses all listeners that are beans. It is no default bean: the
 * first listener of another type would replace it.
 */
@Singleton
public final class MetricsProducer {

    MetricsProducer() {}

    @Produces
    @Singleton
    LeaseholdMetrics metrics(MeterRegistry registry, LeaseholdRuntimeConfig config) {
        return config.metrics().lockNames()
                ? LeaseholdMetrics.byLock(registry, Tags.empty())
                : LeaseholdMetrics.of(registry);
    }
}
