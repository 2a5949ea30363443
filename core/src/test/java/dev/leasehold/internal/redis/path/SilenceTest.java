package dev.leasehold.internal.redis.path;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SilenceTest {

    private final Silence silence = new Silence();

    @Test
    void shortWaitsThatFollowOneAnotherAddUp() {
        assertThat(silence.unanswered(0, 100)).isEqualTo(100);
        assertThat(silence.unanswered(0, 160)).isEqualTo(100);
        assertThat(silence.unanswered(0, 220)).isEqualTo(100);
    }

    @Test
    void aCommandThatWasSentEarlierCountsThoughItsCallerWaitsLonger() {
        assertThat(silence.unanswered(0, 160)).isEqualTo(160);
        assertThat(silence.unanswered(0, 100)).isEqualTo(100);
    }

    @Test
    void anArrivalEndsIt() {
        assertThat(silence.unanswered(0, 100)).isEqualTo(100);
        assertThat(silence.lastsSince(0)).isTrue();
        silence.ended();
        assertThat(silence.lastsSince(0)).isFalse();
        assertThat(silence.unanswered(silence.arrivals(), 160)).isEqualTo(160);
    }
}
