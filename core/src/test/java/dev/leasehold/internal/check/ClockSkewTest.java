package dev.leasehold.internal.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.diagnostics.Finding;
import dev.leasehold.diagnostics.Finding.Level;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Leases of 30 s allow for 302 ms. */
class ClockSkewTest {

    private static final Duration LEASE = Duration.ofSeconds(30);

    private static ClockReading clock(String server, long aheadMicros, long errorMicros) {
        return new ClockReading(server, aheadMicros, errorMicros);
    }

    private static Finding failoverServers(ClockReading... readings) {
        List<Finding> findings = ClockSkew.amongFailoverServers(List.of(readings), LEASE);
        assertThat(findings).hasSize(1);
        return findings.get(0);
    }

    @Test
    void oneClockAgreesWithItself() {
        assertThat(ClockSkew.amongFailoverServers(List.of(clock("a", 5_000_000, 10)), LEASE))
                .isEmpty();
        assertThat(ClockSkew.amongQuorumServers(List.of(clock("a", 5_000_000, 10))))
                .isEmpty();
    }

    @Test
    void clocksAgreeWithinTheirDistanceAndBothErrors() {
        Finding agree = failoverServers(clock("a", 1_000, 200), clock("b", -500, 300), clock("c", 0, 100));
        assertThat(agree.level()).isEqualTo(Level.FINE);
        assertThat(agree.text()).isEqualTo("The clocks of the 3 servers agree within 2.0 ms.");
    }

    @Test
    void aDifferenceWithinTheMeasurementErrorIsNoFinding() {
        assertThat(failoverServers(clock("a", 400_000, 50_000), clock("b", 0, 48_000))
                        .level())
                .isEqualTo(Level.FINE);
        assertThat(failoverServers(clock("a", 400_000, 50_000), clock("b", 0, 47_999))
                        .level())
                .isEqualTo(Level.WARNING);
    }

    @Test
    void aDifferenceWithinTheToleranceOfLeasesIsNoFinding() {
        assertThat(failoverServers(clock("a", 302_002, 1), clock("b", 0, 1)).level())
                .isEqualTo(Level.FINE);
        assertThat(failoverServers(clock("a", 302_003, 1), clock("b", 0, 1)).level())
                .isEqualTo(Level.WARNING);
    }

    @Test
    void moreThanALeaseIsADanger() {
        Finding danger = failoverServers(clock("a", -10_000_000, 500), clock("b", 30_000_000, 500));
        assertThat(danger.level()).isEqualTo(Level.DANGER);
        assertThat(danger.text())
                .startsWith("The clock of b is 40.0 s ahead of that of a, measured to within 1.0 ms;")
                .contains("leases of 30.0 s allow for 302 ms");
        assertThat(failoverServers(clock("a", 0, 500), clock("b", 30_000_000, 500))
                        .level())
                .isEqualTo(Level.WARNING);
    }

    @Test
    void thePairWithTheLargestCertainDifferenceIsNamedAndNotABadlyMeasuredOne() {
        assertThat(failoverServers(clock("far", 9_000_000, 8_900_000), clock("a", 0, 10), clock("b", 700_000, 10))
                        .text())
                .startsWith("The clock of b is 700 ms ahead of that of a");
    }

    @Test
    void theServersOfAQuorumUseTheirOwnClocks() {
        assertThat(ClockSkew.amongQuorumServers(List.of(clock("a", 0, 10), clock("b", 40_000_000, 10))))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.level()).isEqualTo(Level.FINE);
                    assertThat(finding.text()).contains("40.0 s ahead", "uses only its own");
                });
    }

    @Test
    void thisHostMayDifferByASecondAndTheError() {
        assertThat(host(clock("a", 1_050_000, 49_000))).isEqualTo(Level.FINE);
        assertThat(host(clock("a", 1_050_000, 48_999))).isEqualTo(Level.WARNING);
        assertThat(host(clock("a", 0, 10), clock("b", -1_050_000, 48_999))).isEqualTo(Level.WARNING);
        assertThat(ClockSkew.againstHost(List.of())).isEmpty();
    }

    private static Level host(ClockReading... readings) {
        List<Finding> findings = ClockSkew.againstHost(List.of(readings));
        assertThat(findings).hasSize(1);
        return findings.get(0).level();
    }
}
