package dev.leasehold.drill.judge;

import dev.leasehold.drill.watch.FiredAlert;
import dev.leasehold.drill.watch.HealthChange;
import dev.leasehold.drill.watch.LogSummary;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What was seen of a scenario, from before the fault until all was well again.
 *
 * @param time how long that took
 * @param longestGap the longest time without a granted lock
 * @param answers how often callers saw each status
 * @param alerts that fired
 * @param health its changes
 * @param healthyAtTheEnd whether health was UP everywhere at the end, the long leases were held, and there was one leader
 * @param logs by instance
 * @param metrics growth of counters and maxima of gauges
 * @param denials what Redis denied the user
 * @param keysWithoutExpiry keys that would stay for ever
 * @param connections of the user, before and after
 */
public record Observation(
        Duration time,
        Duration longestGap,
        Map<String, Long> answers,
        List<FiredAlert> alerts,
        List<HealthChange> health,
        boolean healthyAtTheEnd,
        Map<String, LogSummary> logs,
        Map<String, Double> metrics,
        List<String> denials,
        List<String> keysWithoutExpiry,
        String connections) {}
