package dev.leasehold.annotation;

import dev.leasehold.Leasehold;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.diagnostics.Diagnostics;
import dev.leasehold.diagnostics.Finding;
import dev.leasehold.inspect.Inspector;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The details of the health indicators of all frameworks, available while locks can be had: Redis answers, and does not refuse every
 * acquisition. Each check asks Redis for its time, and nothing else. A danger that the check at connect or a diagnosis has found in the last minutes, such as eviction, is reported but takes no
 * instance out of service, because it affects all instances. An outage is one line of the log when it begins and one when it ends,
 * however many checks there are. Thread-safe.
 */
public final class LeaseholdHealth {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.health");

    private final Leasehold leasehold;
    private final HeldLeases held;
    private final AtomicBoolean unanswered = new AtomicBoolean();

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
     * Asks Redis for its time, and returns the details.
     *
     * @return {@code held}, the number of leases of this instance; {@code lastRenewalLagMillis}, the time from the due
     *     time of the last renewal to its confirmation, if there was one; {@code dangers}, if there are any
     * @throws dev.leasehold.LockUnavailableException if Redis did not answer within the command timeout, or has refused every
     *     acquisition of this client for 10 s or more ({@link Diagnostics#refusal()})
     */
    public Map<String, Object> details() {
        ask(leasehold.inspector());
        Diagnostics diagnostics = Diagnostics.of(leasehold);
        diagnostics.refusal().ifPresent(refusal -> {
            throw new LockUnavailableException("", false, refusal.text() + " " + refusal.remedy(), null);
        });
        List<String> dangers = diagnostics.lastFindings().stream()
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

    private void ask(Inspector inspector) {
        try {
            inspector.ping();
        } catch (LockUnavailableException e) {
            // Probes are frequent: no stack.
            LOG.atLevel(unanswered.getAndSet(true) ? Level.DEBUG : Level.WARN)
                    .log("Redis does not answer Leasehold: {}", e.getMessage());
            throw e;
        }
        if (unanswered.getAndSet(false)) {
            LOG.info("Redis answers Leasehold again");
        }
    }
}
