package dev.leasehold.annotation;

import dev.leasehold.Leasehold;
import dev.leasehold.inspect.Finding;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The details of the health indicators of all frameworks, available while Redis answers. A danger that the
 * diagnosis finds, such as eviction, is reported but takes no instance out of service, because it affects all
 * instances. Thread-safe.
 */
public final class LeaseholdHealth {

    private final Leasehold leasehold;
    private final HeldLeases held;

    /**
     * Creates the details.
     *
     * @param leasehold the client
     * @param held what it holds, a listener of the client
     */
    public LeaseholdHealth(Leasehold leasehold, HeldLeases held) {
        this.leasehold = leasehold;
        this.held = held;
    }

    /**
     * Checks Redis, and returns the details.
     *
     * @return {@code held}, the number of leases of this instance; {@code lastRenewalLagMillis}, the time from the due
     *     time of the last renewal to its confirmation, if there was one; {@code dangers}, if there are any
     * @throws dev.leasehold.LockUnavailableException if Redis did not answer within the command timeout
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
