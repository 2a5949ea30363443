package dev.leasehold.quarkus.internal;

import dev.leasehold.Leasehold;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.inspect.Finding;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/**
 * Reports up while Redis answers. A danger that the diagnosis finds, such as eviction, is reported but takes no instance
 * out of service, because it affects all instances.
 */
@Readiness
@Singleton
public final class LeaseholdHealthCheck implements HealthCheck {

    private final Leasehold leasehold;

    LeaseholdHealthCheck(Leasehold leasehold) {
        this.leasehold = leasehold;
    }

    @Override
    public HealthCheckResponse call() {
        HealthCheckResponseBuilder response = HealthCheckResponse.named("Leasehold");
        try {
            leasehold.inspector().diagnose().stream()
                    .filter(finding -> finding.level() == Finding.Level.DANGER)
                    .forEach(finding -> response.withData(finding.subject(), finding.text()));
            return response.up().build();
        } catch (LockUnavailableException e) {
            return response.down()
                    .withData("reason", String.valueOf(e.getMessage()))
                    .build();
        }
    }
}
