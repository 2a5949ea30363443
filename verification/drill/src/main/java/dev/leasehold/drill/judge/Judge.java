package dev.leasehold.drill.judge;

import dev.leasehold.drill.watch.FiredAlert;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Compares what was seen with what was expected. */
public final class Judge {

    /**
     * The part of a lease for which it lasts when its renewal is due, a third after the last: a shorter outage loses none. A tenth is
     * left for a busy machine.
     */
    private static final double LASTS = 2 / 3.0 - 0.1;

    /** A lost lease, and the request that had it. */
    private static final int LINES_OF_A_LOSS = 2;

    private final Duration lease;

    /**
     * Creates it.
     *
     * @param lease the lease of all locks
     */
    public Judge(Duration lease) {
        this.lease = lease;
    }

    /**
     * Returns what contradicts the expectation.
     *
     * @param expected of the scenario
     * @param seen of it
     * @return a sentence for each contradiction; none if all is well
     */
    public List<String> findings(Expectation expected, Observation seen) {
        List<String> findings = new ArrayList<>();
        seen.answers().forEach((answer, count) -> {
            if (!expected.answers().contains(answer)) {
                findings.add("callers saw \"" + answer + "\" " + count + " times");
            }
        });
        alerts(expected, seen, findings);
        health(expected, seen, findings);
        int lines = expected.troubledLines() == 0 ? 0 : expected.troubledLines() + excused(seen);
        seen.logs().forEach((instance, log) -> {
            if (log.troubled() > lines) {
                findings.add(instance + " logged " + log.troubled()
                        + " lines of warnings, errors and stacks; expected at most " + lines);
            }
        });
        if (!expected.denials() && !seen.denials().isEmpty()) {
            findings.add("Redis denied the user: " + String.join("; ", seen.denials()));
        }
        if (!seen.keysWithoutExpiry().isEmpty()) {
            findings.add("keys without expiry: " + String.join(", ", seen.keysWithoutExpiry()));
        }
        return findings;
    }

    /**
     * A line for each second of an outage: what grows faster grows with the load. And those of each request that
     * lost its lock.
     */
    private static int excused(Observation seen) {
        long failed = seen.answers().getOrDefault("500", 0L);
        return (int) (seen.longestGap().toSeconds() + failed * LINES_OF_A_LOSS);
    }

    private void alerts(Expectation expected, Observation seen, List<String> findings) {
        Set<String> fired = seen.alerts().stream().map(FiredAlert::name).collect(Collectors.toCollection(TreeSet::new));
        for (String name : expected.must()) {
            if (!fired.contains(name)) {
                findings.add(name + " did not fire");
            }
        }
        Set<String> permitted = new TreeSet<>(expected.must());
        permitted.addAll(expected.may());
        if (seen.longestGap().compareTo(lasting()) >= 0) {
            permitted.addAll(expected.mayAfterLongOutage());
        }
        for (String name : fired) {
            if (!permitted.contains(name)) {
                seen.alerts().stream()
                        .filter(alert -> alert.name().equals(name))
                        .min(Comparator.comparingDouble(FiredAlert::firstSeconds))
                        .ifPresent(alert -> findings.add("unexpected alert: " + alert));
            }
        }
    }

    /** Returns how long an outage may be without the loss of a lease. */
    Duration lasting() {
        return Duration.ofMillis((long) (lease.toMillis() * LASTS));
    }

    private static void health(Expectation expected, Observation seen, List<String> findings) {
        if (!seen.healthyAtTheEnd()) {
            findings.add("not all instances were healthy at the end");
        }
        boolean down = seen.health().stream().anyMatch(change -> change.status().equals("DOWN"));
        if (down && !expected.unhealthy()) {
            findings.add("health was DOWN");
        }
    }
}
