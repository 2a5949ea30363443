package dev.leasehold.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Durations for people. */
class TimeTextTest {

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0.0 ms",
        "PT0.00999S, 10.0 ms",
        "PT0.01S, 10 ms",
        "PT9.999S, 9999 ms",
        "PT19.43S, 19.4 s",
        "PT1H, 3600.0 s"
    })
    void areInMillisecondsOrSeconds(Duration duration, String text) {
        assertThat(TimeText.of(duration)).isEqualTo(text);
    }
}
