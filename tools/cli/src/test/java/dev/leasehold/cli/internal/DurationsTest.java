package dev.leasehold.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class DurationsTest {

    @ParameterizedTest
    @CsvSource({
        "500ms, PT0.5S",
        "10s, PT10S",
        "10, PT10S",
        "0, PT0S",
        "1.5m, PT1M30S",
        "2h, PT2H",
        "1d, PT24H",
        "365d, PT8760H",
        "10S, PT10S",
        "0.000000001s, PT0.000000001S"
    })
    void parsesTimesWithUnits(String text, Duration time) {
        assertThat(new Durations().convert(text)).isEqualTo(time);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "s", "-1s", "1w", "1 2", "1e3s", "PT10S", "٣s", "366d", "99999999999999999999999999d"})
    void refusesOtherTexts(String text) {
        assertThatThrownBy(() -> new Durations().convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0 ms",
        "PT-1S, 0 ms",
        "PT0.0879S, 87 ms",
        "PT0.9999S, 999 ms",
        "PT1S, 1 s",
        "PT4.29S, 4.2 s",
        "PT59.99S, 59.9 s",
        "PT60S, 1 min",
        "PT3M20S, 3 min 20 s",
        "PT2H5M, 2 h 5 min",
        "PT49H, 2 d 1 h"
    })
    void formatsTheLargestUnitsAndNeverMoreThanIsLeft(Duration time, String text) {
        assertThat(Durations.format(time)).isEqualTo(text);
    }
}
