package dev.leasehold.drill.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.leasehold.drill.judge.Expectation;
import dev.leasehold.drill.watch.AlertRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ScenariosTest {

    @Test
    void eachIsFoundByItsName() {
        assertThat(Scenarios.all())
                .hasSize(12)
                .allSatisfy(scenario ->
                        assertThat(Scenarios.named(scenario.name()).what()).isEqualTo(scenario.what()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Scenarios.named("flood"))
                .withMessageContaining("rolling-restart");
    }

    /** An alert of another name would never fire, and a scenario that permits it would permit nothing. */
    @Test
    void theAlertsThatAreExpectedExist() throws IOException {
        List<String> alerts = AlertRules.of(Files.readString(
                        Path.of(System.getProperty("leasehold.root")).resolve("docs/grafana/alerts.yml")))
                .names();
        assertThat(Scenarios.all().stream().map(Scenario::expectation).flatMap(ScenariosTest::alertsOf))
                .isSubsetOf(alerts)
                .contains("LeaseholdUnavailable");
    }

    private static Stream<String> alertsOf(Expectation expectation) {
        return Stream.of(expectation.must(), expectation.may(), expectation.mayAfterLongOutage())
                .flatMap(Set::stream);
    }
}
