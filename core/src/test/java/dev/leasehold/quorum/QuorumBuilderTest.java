package dev.leasehold.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.LeaseholdBuilder;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The settings of a quorum: those of a client of one server, apart from what a majority cannot do. */
class QuorumBuilderTest {

    private static final Set<String> OF_ONE_SERVER =
            Set.of("uri", "transport", "quorum", "lockFormat", "deadlockCheck", "shareStacks");

    private static Set<String> settings(Class<?> builder) {
        return Stream.of(builder.getMethods())
                .filter(method -> method.getReturnType() == builder)
                .map(method -> method.getName())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void hasWhatAQuorumKnows() {
        Set<String> expected = settings(LeaseholdBuilder.class);
        expected.removeAll(OF_ONE_SERVER);
        assertThat(settings(QuorumBuilder.class)).isEqualTo(expected);
    }

    @Test
    void namesAValueThatBreaksItsRule() {
        assertThatThrownBy(() -> QuorumLeasehold.connect("redis://a", "redis://b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a quorum of 2 servers");
        QuorumBuilder builder = QuorumLeasehold.builder("redis://a", "redis://b", "redis://c");
        assertThatThrownBy(builder.nodeTimeout(Duration.ZERO)::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("node timeout");
        assertThatThrownBy(builder.nodeTimeout(Duration.ofSeconds(1)).rememberTokens(Duration.ZERO)::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("rememberTokens");
    }
}
