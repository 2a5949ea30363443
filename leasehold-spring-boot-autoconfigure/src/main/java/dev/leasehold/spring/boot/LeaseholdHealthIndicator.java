package dev.leasehold.spring.boot;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Up as long as Redis answers, with the details of {@link LeaseholdHealth}. */
final class LeaseholdHealthIndicator extends AbstractHealthIndicator {

    private final LeaseholdHealth health;

    LeaseholdHealthIndicator(LeaseholdHealth health) {
        super("Leasehold gets no answer from Redis");
        this.health = health;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        builder.up().withDetails(health.details());
    }
}
