package dev.leasehold.console.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RefreshPaceTest {

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 10_000, 16_000})
    void refreshesEverySecondUpToThousandsOfLocks(int locks) {
        assertThat(RefreshPace.interval(RefreshPace.commands(locks), Duration.ofMillis(100)))
                .isEqualTo(Duration.ofSeconds(1));
    }

    @ParameterizedTest
    @ValueSource(ints = {17_000, 100_000, 1_000_000})
    void sendsAtMostTwoHundredCommandsASecondForMany(int locks) {
        int commands = RefreshPace.commands(locks);
        long millis = RefreshPace.interval(commands, Duration.ZERO).toMillis();
        assertThat(commands * 1000L).isBetween(millis * 190, millis * 200);
    }

    @Test
    void countsAPageOfTheScanForFiveHundredLocksAndACommandForAHundred() {
        assertThat(RefreshPace.commands(1_001)).isEqualTo(2 + 2 + 11);
    }

    @Test
    void aSlowRefreshIsFollowedByALongPause() {
        assertThat(RefreshPace.interval(10, Duration.ofSeconds(3))).isEqualTo(Duration.ofSeconds(30));
    }
}
