package dev.leasehold.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatenciesTest {

    private final Latencies latencies = new Latencies();

    @Test
    void hasNoPercentileOfNothing() {
        assertThat(latencies.percentile(0.99)).isNaN();
    }

    @Test
    void findsThePartThatIsNotExceeded() {
        for (int n = 1; n <= 98; n++) {
            latencies.record(10);
        }
        latencies.record(20);
        latencies.record(30);
        assertThat(latencies.percentile(0.5)).isEqualTo(10);
        assertThat(latencies.percentile(0.98)).isEqualTo(10);
        assertThat(latencies.percentile(0.99)).isEqualTo(20);
        assertThat(latencies.percentile(1)).isEqualTo(30);
    }

    @ParameterizedTest
    @ValueSource(longs = {64, 65, 127, 128, 1_000, 4_095, 4_096, 1_234_567, 3_600_000_000_000L, Long.MAX_VALUE})
    void isExactToAThirtySecond(long nanos) {
        latencies.record(nanos);
        assertThat(latencies.percentile(0.99))
                .isCloseTo(nanos, Percentage.withPercentage(100.0 / 32))
                .isGreaterThanOrEqualTo(nanos);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0})
    void countsWhatTookNoTime(long nanos) {
        latencies.record(nanos);
        assertThat(latencies.percentile(0.99)).isCloseTo(0, within(0.0));
    }

    @Test
    void addsThoseOfAllThreads() {
        Latencies other = new Latencies();
        latencies.record(1);
        other.record(2);
        other.record(3);
        latencies.add(other);
        assertThat(latencies.percentile(0.5)).isEqualTo(2);
        assertThat(latencies.percentile(1)).isEqualTo(3);
    }
}
