package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EmbeddedSentinelBuilderTest {

    private final EmbeddedSentinelBuilder builder = EmbeddedSentinel.builder();

    @ParameterizedTest
    @ValueSource(ints = {0, 6})
    void refusesNumbersOutOfBounds(int value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.replicas(value))
                .withMessageContaining("1 to 5")
                .withMessageContaining(String.valueOf(value));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.sentinels(value))
                .withMessageContaining("1 to 5")
                .withMessageContaining(String.valueOf(value));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "my master", "mymäster", "a,b"})
    void refusesANameThatNoSentinelTakes(String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.primaryName(value))
                .withMessageContaining("letters");
    }

    @Test
    void refusesATimeInWhichNoServerCouldAnswer() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.downAfter(Duration.ofMillis(99)))
                .withMessageContaining("100 ms");
    }

    @Test
    void leavesTheSettingsOfItsServersAsTheyAre() {
        EmbeddedRedisBuilder settings = EmbeddedRedis.builder().password("secret");
        SentinelGroup group = new SentinelGroup("admin", "main", Duration.ofSeconds(3), 2, null);
        EmbeddedRedisBuilder node = settings.under(group);
        assertThat(node.render(1, 1, Path.of("/data"), Path.of("/log"), "admin").lines())
                .contains("masterauth admin", "requirepass \"secret\"");
        assertThat(settings.render(1, 1, Path.of("/data"), Path.of("/log"), "admin"))
                .doesNotContain("masterauth");
    }
}
