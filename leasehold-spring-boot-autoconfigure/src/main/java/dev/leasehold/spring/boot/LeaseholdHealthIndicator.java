package dev.leasehold.spring.boot;

import dev.leasehold.Leasehold;
import dev.leasehold.inspect.Finding;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Up as long as Redis answers. A danger that the diagnosis finds, such as eviction, is told but takes no instance out of service: it
 * concerns all of them alike.
 */
final class LeaseholdHealthIndicator extends AbstractHealthIndicator {

    private final Leasehold leasehold;
    private final HeldLeases held;

    LeaseholdHealthIndicator(Leasehold leasehold, HeldLeases held) {
        super("Leasehold gets no answer from Redis");
        this.leasehold = leasehold;
        this.held = held;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        List<String> dangers = leasehold.inspector().diagnose().stream()
                .filter(finding -> finding.level() == Finding.Level.DANGER)
                .map(finding -> finding.subject() + ": " + finding.text())
                .toList();
        health.up().withDetail("held", held.number());
        Duration lag = held.lastLag();
        if (lag != null) {
            health.withDetail("lastRenewalLagMillis", lag.toMillis());
        }
        if (!dangers.isEmpty()) {
            health.withDetail("dangers", dangers);
        }
    }
}
