package dev.leasehold.chaos.drive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.soak.Growth;
import dev.leasehold.chaos.soak.Samples;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The quick mode of {@code verification/chaos/run --soak}: all kinds of locks under faults, and nothing that is left or grows. */
@Tag("long")
class SoakIT {

    private static final int SECONDS = 30;
    private static final int RATE = 60;

    @Test
    void allKindsOfLocksKeepTheirPromisesAndNothingIsLeft(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory)
            throws Exception {
        Path run = directory.resolve("soak");
        Summary summary = Driver.run(new Settings(
                "standalone",
                "aof",
                List.of("all"),
                SECONDS,
                0,
                0,
                Long.getLong("leasehold.chaos.seed", 8),
                "leasehold",
                2,
                6,
                run,
                "",
                RATE,
                Settings.LITTLE_CALM_MILLIS,
                0,
                Settings.kinds("all"),
                1_000));

        assertThat(summary.violations()).as(summary.toString()).isEmpty();
        Samples samples = Samples.read(run);
        assertThat(samples.series()).containsKeys("w0 heap", "w1 threads", "server connections", "server keys");
        assertThat(Growth.beyondBounds(samples)).isEmpty();
    }
}
