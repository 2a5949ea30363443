package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
}
