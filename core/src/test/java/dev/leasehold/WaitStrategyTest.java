package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WaitStrategyTest {

    @Test
    void pollingSendsARequestAboutEvery50MillisecondsWithoutALimit() {
        assertThat(WaitStrategy.polling()).isEqualTo(new WaitStrategy(Duration.ofMillis(50), Integer.MAX_VALUE, false));
        assertThat(WaitStrategy.polling(Duration.ofSeconds(1)))
                .isEqualTo(new WaitStrategy(Duration.ofSeconds(1), Integer.MAX_VALUE, false));
        assertThat(WaitStrategy.polling(Duration.ofSeconds(1), 5))
                .isEqualTo(new WaitStrategy(Duration.ofSeconds(1), 5, false));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"PT0S", "PT-1S", "PT0.000999999S", "PT1H0.000000001S", "PT2562047788015215H30M7.999999999S"})
    void anIntervalOutOfBoundsIsRefused(String time) {
        Duration interval = Duration.parse(time);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WaitStrategy.polling(interval))
                .withMessageContaining("interval " + interval)
                .withMessageContaining("1 ms and 1 hour");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void aNumberOfTriesThatIsNotPositiveIsRefused(int tries) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WaitStrategy.polling(Duration.ofMillis(50), tries))
                .withMessageContaining("number of tries " + tries)
                .withMessageContaining("Use 1");
    }
}
