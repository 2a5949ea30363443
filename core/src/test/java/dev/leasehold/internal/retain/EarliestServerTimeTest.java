package dev.leasehold.internal.retain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.store.ServerTime;
import org.junit.jupiter.api.Test;

class EarliestServerTimeTest {

    /** Redis TIME 1,000,000 us arrived at 50,000 ns. */
    private final EarliestServerTime first = EarliestServerTime.by(new ServerTime(1_000_000), 50_000);

    @Test
    void redisHasReadItsClockWhenTheAnswerArrives() {
        assertThat(first.reached(1_000_000)).isEqualTo(50_000);
        assertThat(first.reached(1_000_007)).isEqualTo(57_000);
        assertThat(first.reached(999_000)).isEqualTo(-950_000);
    }

    @Test
    void aLaterAnswerThatWasFasterGivesABetterEstimate() {
        assertThat(first.and(new ServerTime(1_000_980), 1_000_000, 1_020_000).reached(1_000_980))
                .isEqualTo(1_020_000);
    }

    @Test
    void anAnswerThatWasLateDoesNotWorsenTheEstimate() {
        // The clock was read at 1,000,000 ns or a little later; the answer took 5 ms more.
        assertThat(first.and(new ServerTime(1_000_960), 1_000_000, 6_000_000)).isEqualTo(first);
    }

    @Test
    void aClockThatWasSetBackIsBelieved() {
        // By the first estimate, it has reached 1,000,950 us when the request is sent.
        assertThat(first.and(new ServerTime(1_000_949), 1_000_000, 1_040_000).reached(1_000_949))
                .isEqualTo(1_040_000);
        assertThat(first.and(new ServerTime(1_000_950), 1_000_000, 1_040_000)).isEqualTo(first);
    }
}
