package dev.leasehold.quarkus.internal;

import dev.leasehold.Leasehold;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.annotation.HeldLeases;
import dev.leasehold.annotation.LeaseholdHealth;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/** Reports up while Redis answers, with the details of {@link LeaseholdHealth}. */
@Readiness
@Singleton
public final class LeaseholdHealthCheck implements HealthCheck {

    private final LeaseholdHealth health;

    LeaseholdHealthCheck(Leasehold leasehold, HeldLeases held) {
        this.health = new LeaseholdHealth(leasehold, held);
    }

    @Override
    public HealthCheckResponse call() {
        HealthCheckResponseBuilder response = HealthCheckResponse.named("Leasehold");
        try {
            health.details().forEach((name, detail) -> response.withData(name, detail.toString()));
            return response.up().build();
        } catch (LockUnavailableException e) {
            return response.down()
                    .withData("reason", String.valueOf(e.getMessage()))
                    .build();
        }
    }
}
