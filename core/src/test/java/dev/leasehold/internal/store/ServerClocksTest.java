package dev.leasehold.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ServerClocksTest {

    private static final long MICROS_AT_ZERO = 1_795_227_625_000_000L;

    private static ServerTime truth(long localNanos) {
        return new ServerTime(MICROS_AT_ZERO + Math.floorDiv(localNanos, 1000));
    }

    @Test
    void isNeverBehindRedisAndAheadByTheTransitTimeOfTheRequestAtMost() {
        Random random = new Random(11);
        long local = 0;
        ServerClocks.Clock clock = new ServerClocks.Clock(truth(0), 0);
        for (int i = 0; i < 10_000; i++) {
            long sentAt = local;
            long transit = random.nextLong(2_000_000_000L);
            clock.seen(truth(sentAt + transit), sentAt);
            local += random.nextLong(3_000_000_000L);
            long queriedAt = local + random.nextLong(5_000_000_000L);
            long ahead = clock.at(queriedAt).micros() - truth(queriedAt).micros();
            assertThat(ahead).isBetween(0L, transit / 1000 + 1);
        }
    }

    @Test
    void followsAServerThatSteppedBack() {
        ServerClocks.Clock clock = new ServerClocks.Clock(truth(0), 0);
        clock.seen(new ServerTime(MICROS_AT_ZERO - 3_600_000_000L), 10_000);
        assertThat(clock.at(11_000)).isEqualTo(new ServerTime(MICROS_AT_ZERO - 3_600_000_000L + 1));
    }

    @Test
    void keepsTheSampleOfTheLaterRequestWhenAnswersOvertakeEachOther() {
        ServerClocks.Clock clock = new ServerClocks.Clock(truth(0), 0);
        clock.seen(truth(5_000_000), 4_000_000);
        clock.seen(truth(3_000_000), 1_000_000);
        assertThat(clock.at(4_000_000)).isEqualTo(truth(5_000_000));
    }

    @Test
    void survivesTheWrapOfTheMonotonicClock() {
        ServerClocks.Clock clock = new ServerClocks.Clock(new ServerTime(5), Long.MAX_VALUE - 999);
        clock.seen(new ServerTime(7), Long.MIN_VALUE);
        assertThat(clock.at(Long.MIN_VALUE + 3000)).isEqualTo(new ServerTime(10));
    }
}
