package dev.leasehold.spring.boot;

import dev.leasehold.annotation.LeaseholdHealth;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Reports up while Redis answers, with the details of {@link LeaseholdHealth}. */
final class LeaseholdHealthIndicator implements HealthIndicator {

    private final LeaseholdHealth health;

    LeaseholdHealthIndicator(LeaseholdHealth health) {
        this.health = health;
    }

    @Override
    public Health health() {
        try {
            return Health.up().withDetails(health.details()).build();
        } catch (RuntimeException e) {
            return Health.down(e).build();
        }
    }
}
