package dev.leasehold.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.diagnostics.Finding;
import dev.leasehold.internal.engine.LogLines;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A late start logged the dangers of a server that the preflight refuses again every ten seconds. */
class FindingLogTest {

    private final FindingLog log = new FindingLog();

    @RegisterExtension
    final LogLines lines = new LogLines("dev.leasehold.preflight");

    private static Finding danger(String subject, String text) {
        return new Finding(Finding.Level.DANGER, subject, text, "Remedy.");
    }

    @Test
    void aRepeatedPreflightLogsWhatTheOneBeforeDidNotFind() {
        Finding policy = danger("maxmemory-policy", "allkeys-lru with a memory limit.");
        log.log(List.of(policy, danger("clocks", "Differs by 1,200 ms.")));
        log.log(List.of(policy, danger("clocks", "Differs by 1,300 ms.")));
        assertThat(lines.all()).hasSize(2);
        log.log(List.of(policy, danger("role", "This server is a replica.")));
        assertThat(lines.all()).hasSize(3).last().isEqualTo("role: This server is a replica. Remedy.");
    }

    @Test
    void aFindingThatComesBackIsLoggedAgainAndNodesAreToldApartWithinOnePreflight() {
        List<Finding> nodes = List.of(danger("role", "10.0.0.1: a replica."), danger("role", "10.0.0.2: a replica."));
        log.log(nodes);
        log.log(List.of());
        log.log(nodes);
        assertThat(lines.all()).hasSize(4);
    }
}
