package dev.leasehold.micronaut;

import dev.leasehold.annotation.LeaseholdHealth;
import io.micronaut.context.annotation.Requires;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.AbstractHealthIndicator;
import jakarta.inject.Singleton;
import java.util.Map;

/** Reports up while Redis answers, with the details of {@link LeaseholdHealth}. */
@Singleton
@Requires(classes = AbstractHealthIndicator.class)
final class LeaseholdHealthIndicator extends AbstractHealthIndicator<Map<String, Object>> {

    private final LeaseholdHealth health;

    LeaseholdHealthIndicator(LeaseholdHealth health) {
        this.health = health;
    }

    @Override
    protected String getName() {
        return "leasehold";
    }

    @Override
    protected Map<String, Object> getHealthInformation() {
        Map<String, Object> details = health.details();
        healthStatus = HealthStatus.UP;
        return details;
    }
}
