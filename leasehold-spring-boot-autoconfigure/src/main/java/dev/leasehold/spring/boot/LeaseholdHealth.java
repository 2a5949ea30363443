package dev.leasehold.spring.boot;

import dev.leasehold.Leasehold;
import dev.leasehold.inspect.Finding;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a health indicator tells, in whatever version of Boot: details as long as Redis answers. A danger that the diagnosis finds, such
 * as eviction, is told but takes no instance out of service: it concerns all of them alike. Safe for use by any thread.
 */
public final class LeaseholdHealth {

    private final Leasehold leasehold;
    private final HeldLeases held;

    LeaseholdHealth(Leasehold leasehold, HeldLeases held) {
        this.leasehold = leasehold;
        this.held = held;
    }

    /**
     * Asks Redis.
     *
     * @return {@code held}, the number of leases of this instance; {@code lastRenewalLagMillis}, how long after it was due the last renewal
     *     was confirmed, if there was one; {@code dangers}, if there are any
     * @throws dev.leasehold.LockUnavailableException if Redis did not answer within the command time-out
     */
    public Map<String, Object> details() {
        List<String> dangers = leasehold.inspector().diagnose().stream()
                .filter(finding -> finding.level() == Finding.Level.DANGER)
                .map(finding -> finding.subject() + ": " + finding.text())
                .toList();
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("held", held.number());
        Duration lag = held.lastLag();
        if (lag != null) {
            details.put("lastRenewalLagMillis", lag.toMillis());
        }
        if (!dangers.isEmpty()) {
            details.put("dangers", dangers);
        }
        return details;
    }
}
