package dev.leasehold.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {

    private static final Duration LONG = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofSeconds(1);

    @Test
    void measuresAtLeastFiveRoundsOfEverythingByDefault() {
        Settings settings = Settings.parse();
        assertThat(settings.roundsOr(Settings.ROUNDS, Settings.QUICK_ROUNDS)).isGreaterThanOrEqualTo(5);
        assertThat(settings.timeOr(LONG, SHORT)).isEqualTo(LONG);
        assertThat(settings.requireRatio()).isZero();
        assertThat(settings.scenarios())
                .startsWith("uncontended", "semaphore", "jedis", "quorum", "scripts", "scale", "one-jvm")
                .endsWith("cluster-outage")
                .doesNotContain("connect");
    }

    @Test
    void isQuickOnDemand() {
        Settings quick = Settings.parse("--quick", "--require-ratio", "3");
        assertThat(quick.roundsOr(5, 3)).isEqualTo(3);
        assertThat(quick.timeOr(LONG, SHORT)).isEqualTo(SHORT);
        assertThat(quick.requireRatio()).isEqualTo(3);
    }

    @Test
    void prefersWhatIsSaidToWhatIsUsual() {
        Settings settings = Settings.parse("--rounds", "9", "--quick", "--seconds", "0.5");
        assertThat(settings.roundsOr(5, 3)).isEqualTo(9);
        assertThat(settings.timeOr(LONG, SHORT)).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void measuresWhatIsNamedInItsOwnOrder() {
        assertThat(Settings.parse("connect", "contended", "--quick", "one-jvm").scenarios())
                .isEqualTo(List.of("one-jvm", "four-jvms", "hand-off", "connect"));
    }

    @Test
    void drawsAfterAllThatIsMeasured() {
        assertThat(Settings.parse("plot", "one-jvm").scenarios()).isEqualTo(List.of("one-jvm", "plot"));
        assertThat(Settings.parse().scenarios()).doesNotContain("plot");
    }

    @Test
    void takesTheLastOfWhatIsSaidTwice() {
        assertThat(Settings.parse("--results", "a", "--results", "b").results()).isEqualTo(Path.of("b"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--fast", "--rounds", "--rounds 0", "--seconds never", "--require-ratio -1", "everything"})
    void refusesWhatMakesNoSense(String line) {
        assertThatThrownBy(() -> Settings.parse(line.split(" ", -1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(line.split(" ", -1)[0]);
    }
}
