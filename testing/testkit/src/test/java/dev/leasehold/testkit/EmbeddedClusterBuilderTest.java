package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EmbeddedClusterBuilderTest {

    private final EmbeddedClusterBuilder builder = EmbeddedCluster.builder();

    @ParameterizedTest
    @ValueSource(ints = {0, 11})
    void refusesANumberOfPrimariesOutOfBounds(int value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.primaries(value))
                .withMessageContaining("1 to 10")
                .withMessageContaining(String.valueOf(value));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 3})
    void refusesANumberOfReplicasOutOfBounds(int value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.replicas(value))
                .withMessageContaining("0 to 2")
                .withMessageContaining(String.valueOf(value));
    }

    @Test
    void refusesANodeTimeoutThatNoNodeCouldKeep() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.nodeTimeout(Duration.ofMillis(99)))
                .withMessageContaining("100 ms");
    }

    @Test
    void leavesTheSettingsOfItsNodesAsTheyAre() {
        EmbeddedRedisBuilder settings = EmbeddedRedis.builder().password("secret");
        EmbeddedRedisBuilder node = settings.inCluster(new ClusterMembership("admin", Duration.ofSeconds(3)));
        assertThat(node.render(1, 1, Path.of("/data"), Path.of("/log"), "admin").lines())
                .contains("cluster-enabled yes", "cluster-node-timeout 3000", "requirepass \"secret\"");
        assertThat(settings.render(1, 1, Path.of("/data"), Path.of("/log"), "admin"))
                .doesNotContain("cluster");
    }
}
