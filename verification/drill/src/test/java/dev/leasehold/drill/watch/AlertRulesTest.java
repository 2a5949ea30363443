package dev.leasehold.drill.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AlertRulesTest {

    private static final String TEXT = """
            groups:
              - name: leasehold
                rules:
                  - alert: One
                    expr: sum(increase(leasehold_lost_total{reason!="closed"}[5m])) > 0
                    annotations:
                      description: "Within [5m], for: 5m."
                  - alert: Two
                    expr: min_over_time(sum(leasehold_waiting)[10m:1m]) > 50
                    for: 5m
                  - alert: Three
                    expr: max by (instance) (leasehold_renewal_lag_seconds_max) > 5
                    for: 10s
            """;

    @Test
    void windowsAndTimesAreShorterAndAllElseIsTheSame() {
        String shortened = AlertRules.of(TEXT).shortened(10).toString();
        assertThat(shortened)
                .contains("[30s])) > 0", "[60s:6s]", "for: 30s\n", "for: 1s\n")
                .contains("Within [5m], for: 5m.", "> 50", "lag_seconds_max) > 5");
        assertThat(shortened.lines()).hasSameSizeAs(TEXT.lines().toList());
    }

    @Test
    void aTimeOfLessThanASecondHasMilliseconds() {
        assertThat(AlertRules.of("                    for: 10s\n").shortened(4).toString())
                .contains("for: 2500ms");
    }

    @Test
    void refusesWhatItWouldChangeOnlyAlmost() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AlertRules.of(TEXT).shortened(7))
                .withMessageContaining("cannot be divided");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AlertRules.of("    for: 1h30m").shortened(2))
                .withMessageContaining("1h30m");
    }

    @Test
    void theThresholdOfLateRenewalsFollowsTheLease() {
        assertThat(AlertRules.of(TEXT).forLeases(Duration.ofSeconds(12)).toString())
                .contains("lag_seconds_max) > 2.000\n");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AlertRules.of("groups:").forLeases(Duration.ofSeconds(12)))
                .withMessageContaining("leasehold_renewal_lag_seconds_max");
    }

    @Test
    void theNamesAreThoseOfTheAlerts() {
        assertThat(AlertRules.of(TEXT).names()).containsExactly("One", "Two", "Three");
    }

    /** The product's own file, in which no window may be overlooked. */
    @Test
    void everyWindowOfTheProductIsShortened() throws IOException {
        String rules =
                Files.readString(Path.of(System.getProperty("leasehold.root")).resolve("docs/grafana/alerts.yml"));
        AlertRules shortened = AlertRules.of(rules).shortened(15).forLeases(Duration.ofSeconds(15));
        assertThat(shortened.names()).contains("LeaseholdUnavailable", "LeaseholdLeaseLost");
        assertThat(shortened.toString())
                .contains("[20s]", "[40s:4s]", "for: 20s", "> 2.500")
                .doesNotContainPattern("\\[\\d+m")
                .doesNotContainPattern("\n +for: \\d+m");
    }
}
