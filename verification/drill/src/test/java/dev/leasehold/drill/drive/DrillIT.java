package dev.leasehold.drill.drive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.drill.judge.Observation;
import dev.leasehold.drill.scenario.Scenarios;
import dev.leasehold.drill.site.Site;
import dev.leasehold.drill.watch.FiredAlert;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The quick part of the drill. All scenarios are run by verification/drill/run. */
@Tag("full")
class DrillIT {

    @Test
    void aRolloutGoesUnnoticedAndADeadPrimaryIsToldByItsAlertAndLeavesNothing(
            @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory) throws Exception {
        Path root = Path.of(System.getProperty("leasehold.root"));
        try (Site site = Site.start(directory, Files.readString(root.resolve("docs/grafana/alerts.yml")))) {
            Drill drill = new Drill(site);

            Result rollout = drill.run(Scenarios.named("rolling-restart"));
            assertThat(rollout.findings()).as(text(rollout)).isEmpty();
            assertThat(rollout.seen().answers()).as(text(rollout)).containsOnlyKeys("200", "409");
            assertThat(rollout.seen().alerts()).as(text(rollout)).isEmpty();

            Result killed = drill.run(Scenarios.named("primary-killed"));
            assertThat(killed.findings()).as(text(killed)).isEmpty();
            assertThat(killed.seen().alerts().stream().map(FiredAlert::name))
                    .as(text(killed))
                    .contains("LeaseholdUnavailable");
            assertThat(killed.seen().healthyAtTheEnd()).as(text(killed)).isTrue();

            assertThat(drill.end()).as("keys that are left in Redis").isEmpty();
        }
    }

    private static String text(Result result) {
        Observation seen = result.seen();
        return result.scenario().name() + ": " + result.findings() + "\n" + seen;
    }
}
