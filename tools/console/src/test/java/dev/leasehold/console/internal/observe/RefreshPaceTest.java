package dev.leasehold.console.internal.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RefreshPaceTest {

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 198})
    void refreshesEverySecondForFewLocks(int locks) {
        assertThat(RefreshPace.interval(RefreshPace.commands(locks))).isEqualTo(Duration.ofSeconds(1));
    }

    @ParameterizedTest
    @ValueSource(ints = {199, 200, 1_000, 9_999, 10_000, 1_000_000})
    void sendsAtMostTwoHundredCommandsASecondForMany(int locks) {
        int commands = RefreshPace.commands(locks);
        long millis = RefreshPace.interval(commands).toMillis();
        assertThat(commands * 1000L).isBetween(millis * 190, millis * 200);
    }

    @Test
    void countsAPageOfTheScanForEachFiveHundredLocks() {
        assertThat(RefreshPace.commands(1_000)).isEqualTo(1_004);
    }
}
