package dev.leasehold.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {

    @Test
    void measuresAtLeastFiveRoundsByDefault() {
        assertThat(Settings.parse().rounds()).isGreaterThanOrEqualTo(5);
        assertThat(Settings.parse().requireRatio()).isZero();
    }

    @Test
    void isQuickOnDemand() {
        Settings quick = Settings.parse("--quick", "--require-ratio", "3");
        assertThat(quick.rounds()).isEqualTo(3);
        assertThat(quick.roundTime()).isEqualTo(Duration.ofSeconds(1));
        assertThat(quick.requireRatio()).isEqualTo(3);
    }

    @Test
    void takesTheLastOfWhatIsSaidTwice() {
        Settings settings =
                Settings.parse("--results", "a", "--rounds", "5", "--quick", "--seconds", "0.5", "--results", "b");
        assertThat(settings).isEqualTo(new Settings(3, Duration.ofMillis(500), 0, "", false, Path.of("b")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--fast", "--rounds", "--rounds 0", "--seconds never", "--require-ratio -1"})
    void refusesWhatMakesNoSense(String line) {
        assertThatThrownBy(() -> Settings.parse(line.split(" ", -1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(line.split(" ", -1)[0]);
    }
}
