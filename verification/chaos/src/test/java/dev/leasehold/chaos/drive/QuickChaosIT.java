package dev.leasehold.chaos.drive;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The quick mode. The long ones are runs of verification/chaos/run. */
@Tag("long")
class QuickChaosIT {

    private static final int SECONDS = 40;
    private static final int ACQUISITIONS = 20_000;
    private static final int FAULTS = 100;

    @Test
    void aMinuteOfAllFaultsBreaksNothingThatIsPromised(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory)
            throws Exception {
        Summary summary = Driver.run(new Settings(
                "standalone",
                "aof",
                List.of("all"),
                SECONDS,
                ACQUISITIONS,
                FAULTS,
                Long.getLong("leasehold.chaos.seed", 8),
                "leasehold",
                6,
                8,
                directory.resolve("chaos"),
                "",
                0,
                Settings.LITTLE_CALM_MILLIS,
                0,
                List.of(),
                0));

        assertThat(summary.verdict().violations()).as(summary.toString()).isEmpty();
        assertThat(summary.idle())
                .as("rules with nothing to judge: %s", summary)
                .isEmpty();
        assertThat(summary.well()).as(summary.toString()).isTrue();
        assertThat(summary.struck()).as(summary.toString()).isGreaterThanOrEqualTo(FAULTS);
        assertThat(summary.acquisitions()).as(summary.toString()).isGreaterThanOrEqualTo(ACQUISITIONS);
    }
}
