package dev.leasehold.quarkus.internal;

import dev.leasehold.micrometer.LeaseholdMetrics;
import dev.leasehold.quarkus.LeaseholdRuntimeConfig;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.quarkus.arc.DefaultBean;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Produces the listener that registers meters; the client uses all listeners that are beans. */
@Singleton
public final class MetricsProducer {

    MetricsProducer() {}

    @Produces
    @Singleton
    @DefaultBean
    LeaseholdMetrics metrics(MeterRegistry registry, LeaseholdRuntimeConfig config) {
        return config.metrics().lockNames()
                ? LeaseholdMetrics.byLock(registry, Tags.empty())
                : LeaseholdMetrics.of(registry);
    }
}
