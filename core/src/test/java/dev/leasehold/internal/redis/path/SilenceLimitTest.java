package dev.leasehold.internal.redis.path;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SilenceLimitTest {

    private static final long LONG = Duration.ofSeconds(5).toNanos();

    private final SilenceLimit limit = new SilenceLimit();

    @Test
    void isShortAtFirstAndGrowsWithEachSilence() {
        assertThat(limit.isRaised()).isFalse();
        limit.silent(LONG);
        limit.silent(LONG);
        assertThat(limit.isRaised()).isTrue();
        assertThat(limit.nanos()).isEqualTo(4 * SilenceLimit.MIN_NANOS);
    }

    @Test
    void neverExceedsTheRemainingTimeOfTheWaiters() {
        assertThat(limit.nanos(Duration.ofMillis(200).toNanos()))
                .isEqualTo(Duration.ofMillis(200).toNanos());
        for (int i = 0; i < 100; i++) {
            limit.silent(LONG);
        }
        assertThat(limit.nanos()).isEqualTo(LONG);
    }

    /** A connection that answered late and then falls silent is replaced in time. */
    @Test
    void neverExceedsItAfterASlowAnswer() {
        long timeout = Duration.ofMillis(1_500).toNanos();
        limit.answered(Duration.ofMillis(1_400).toNanos(), timeout);
        assertThat(limit.nanos()).isEqualTo(timeout);
    }

    @Test
    void isNotShorterAfterASilenceThatOnlyShortWaitsMet() {
        limit.silent(Duration.ofMillis(5).toNanos());
        assertThat(limit.nanos()).isEqualTo(SilenceLimit.MIN_NANOS);
    }

    @Test
    void isNeverSoShortThatABusyServerIsConsideredDead() {
        // A lease of 400 ms waits 66 ms for its renewal. The answers of a server that took 70 ms were all lost, because
        // each arrived on an abandoned connection; so the lease was lost.
        assertThat(limit.nanos(Duration.ofMillis(66).toNanos())).isEqualTo(SilenceLimit.FLOOR_NANOS);
    }

    @Test
    void learnsHowSlowTheServerIs() {
        limit.answered(Duration.ofMillis(600).toNanos(), LONG);
        assertThat(limit.nanos()).isEqualTo(Duration.ofMillis(2_400).toNanos());
        for (int i = 0; i < 10; i++) {
            limit.answered(Duration.ofMillis(1).toNanos(), LONG);
        }
        assertThat(limit.nanos()).isEqualTo(SilenceLimit.MIN_NANOS);
    }
}
