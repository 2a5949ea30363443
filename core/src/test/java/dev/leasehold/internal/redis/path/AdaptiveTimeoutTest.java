package dev.leasehold.internal.redis.path;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.spi.TimeSource;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AdaptiveTimeoutTest {

    private static final long LONG = Duration.ofSeconds(5).toNanos();

    private long now;
    private final AdaptiveTimeout timeout = new AdaptiveTimeout(new TimeSource() {
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
        timeout.begin(LONG);
        assertThat(timeout.nanos()).isEqualTo(AdaptiveTimeout.MIN_NANOS);
        timeout.unanswered();
        timeout.unanswered();
        assertThat(timeout.nanos()).isEqualTo(4 * AdaptiveTimeout.MIN_NANOS);
    }

    @Test
    void neverExceedsTheRemainingTimeOfTheWaiters() {
        timeout.begin(Duration.ofMillis(200).toNanos());
        assertThat(timeout.nanos()).isEqualTo(Duration.ofMillis(200).toNanos());
        timeout.begin(LONG);
        for (int i = 0; i < 100; i++) {
            timeout.unanswered();
        }
        assertThat(timeout.nanos()).isEqualTo(LONG);
    }

    @Test
    void isNeverSoShortThatABusyServerIsConsideredDead() {
        // A lease of 400 ms waits 66 ms for its renewal. The answers of a server that took 70 ms were all lost, because
        // each arrived on an abandoned connection; so the lease was lost.
        timeout.begin(Duration.ofMillis(66).toNanos());
        assertThat(timeout.nanos()).isEqualTo(AdaptiveTimeout.FLOOR_NANOS);
    }

    @Test
    void learnsHowSlowTheServerIs() {
        timeout.begin(LONG);
        now += Duration.ofMillis(600).toNanos();
        timeout.answered();
        assertThat(timeout.nanos()).isEqualTo(Duration.ofMillis(2_400).toNanos());
        for (int i = 0; i < 10; i++) {
            timeout.begin(LONG);
            now += Duration.ofMillis(1).toNanos();
            timeout.answered();
        }
        assertThat(timeout.nanos()).isEqualTo(AdaptiveTimeout.MIN_NANOS);
    }
}
