package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EmbeddedQuorumBuilderTest {

    private final EmbeddedQuorumBuilder builder = EmbeddedQuorum.builder();

    @ParameterizedTest
    @ValueSource(ints = {2, 16})
    void refusesNumbersThatAQuorumCannotHave(int value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.servers(value))
                .withMessageContaining("3 to 15")
                .withMessageContaining(String.valueOf(value));
    }

    @Test
    void refusesSettingsThatServersCannotShare() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.settings(EmbeddedRedis.builder().port(1234)))
                .withMessageContaining("port");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.settings(EmbeddedRedis.builder().directory(Path.of("data"))))
                .withMessageContaining("directory");
    }
}
