package dev.leasehold.internal.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.spi.TimeSource;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AdaptiveTimeoutTest {

    private static final long LONG = Duration.ofSeconds(5).toNanos();

    private long now;
    private final AdaptiveTimeout patience = new AdaptiveTimeout(new TimeSource() {
        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public long wallMillis() {
            return 0;
        }
    });

    @Test
    void isShortAtFirstAndGrowsWithEachSilence() {
        patience.begin(LONG);
        assertThat(patience.nanos()).isEqualTo(AdaptiveTimeout.LEAST_NANOS);
        patience.lost();
        patience.lost();
        assertThat(patience.nanos()).isEqualTo(4 * AdaptiveTimeout.LEAST_NANOS);
    }

    @Test
    void neverExceedsTheTimeOfThoseWhoWait() {
        patience.begin(Duration.ofMillis(200).toNanos());
        assertThat(patience.nanos()).isEqualTo(Duration.ofMillis(200).toNanos());
        patience.begin(LONG);
        for (int i = 0; i < 100; i++) {
            patience.lost();
        }
        assertThat(patience.nanos()).isEqualTo(LONG);
    }

    @Test
    void isNeverSoShortThatABusyServerIsTakenForADeadOne() {
        // A lease of 400 ms waits 66 ms for its renewal. A server that took 70 was never heard: each answer came to a
        // connection that had been given up, and the lease was lost.
        patience.begin(Duration.ofMillis(66).toNanos());
        assertThat(patience.nanos()).isEqualTo(AdaptiveTimeout.SHORTEST_NANOS);
    }

    @Test
    void learnsHowSlowTheServerIs() {
        patience.begin(LONG);
        now += Duration.ofMillis(600).toNanos();
        patience.rewarded();
        assertThat(patience.nanos()).isEqualTo(Duration.ofMillis(2_400).toNanos());
        for (int i = 0; i < 10; i++) {
            patience.begin(LONG);
            now += Duration.ofMillis(1).toNanos();
            patience.rewarded();
        }
        assertThat(patience.nanos()).isEqualTo(AdaptiveTimeout.LEAST_NANOS);
    }
}
