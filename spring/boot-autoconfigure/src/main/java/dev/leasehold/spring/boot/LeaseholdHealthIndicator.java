package dev.leasehold.spring.boot;

import dev.leasehold.annotation.LeaseholdHealth;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Reports up while Redis answers, with the details of {@link LeaseholdHealth}. */
final class LeaseholdHealthIndicator extends AbstractHealthIndicator {

    private final LeaseholdHealth health;

    LeaseholdHealthIndicator(LeaseholdHealth health) {
        super("Redis does not answer Leasehold");
        this.health = health;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        builder.up().withDetails(health.details());
    }
}
