package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The settings that several servers of one kind can share. */
class SharedSettingsTest {

    static Stream<Named<Consumer<EmbeddedRedisBuilder>>> groups() {
        return Stream.of(
                Named.of("cluster", EmbeddedCluster.builder()::settings),
                Named.of("sentinel", EmbeddedSentinel.builder()::settings),
                Named.of("quorum", EmbeddedQuorum.builder()::settings));
    }

    @ParameterizedTest
    @MethodSource("groups")
    void whatServersCannotShareIsRefused(Consumer<EmbeddedRedisBuilder> settings) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.accept(EmbeddedRedis.builder().port(1234)))
                .withMessageContaining("port");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.accept(EmbeddedRedis.builder().directory(Path.of("data"))))
                .withMessageContaining("directory");
    }
}
