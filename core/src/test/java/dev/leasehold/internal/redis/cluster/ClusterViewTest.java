package dev.leasehold.internal.redis.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.leasehold.internal.redis.cluster.ClusterView.Range;
import dev.leasehold.spi.RedisAddress;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ClusterViewTest {

    private static List<Object> node(@Nullable Object host, long port) {
        return Arrays.asList(host, port, "id", List.of());
    }

    @Test
    void namesPrimariesBeforeReplicasAndEachNodeOnce() {
        ClusterView view = ClusterView.parse(
                List.of(
                        List.of(0L, 99L, node("a", 1), node("b", 2)),
                        List.of(100L, 199L, node("c", 3), node("d", 4)),
                        List.of(200L, 16_383L, node("a", 1), node("b", 2))),
                "asked");
        assertThat(view.ranges().get(1))
                .isEqualTo(new Range(100, 199, new RedisAddress("c", 3), List.of(new RedisAddress("d", 4))));
        assertThat(view.nodes())
                .containsExactly(
                        new RedisNode("a", 1, true),
                        new RedisNode("c", 3, true),
                        new RedisNode("b", 2, false),
                        new RedisNode("d", 4, false));
    }

    @Test
    void aNodeThatDoesNotKnowItsHostIsWhereItWasAsked() {
        ClusterView view =
                ClusterView.parse(List.of(List.of(0L, 1L, node("", 1)), List.of(2L, 3L, node(null, 2))), "asked");
        assertThat(view.primaries()).containsExactly(new RedisAddress("asked", 1), new RedisAddress("asked", 2));
    }

    @Test
    void anUnreachableNodeIsLeftOut() {
        ClusterView view = ClusterView.parse(
                List.of(List.of(0L, 1L, node("?", 1), node("b", 2)), List.of(2L, 3L, node("c", 3), node("?", 4))),
                "asked");
        assertThat(view.ranges()).containsExactly(new Range(2, 3, new RedisAddress("c", 3), List.of()));
    }

    static Stream<@Nullable Object> strange() {
        return Stream.of(
                null,
                "OK",
                List.of("OK"),
                List.of(List.of(1L)),
                List.of(List.of("one", 2L, node("a", 1))),
                List.of(List.of(0L, 16_384L, node("a", 1))),
                List.of(List.of(0L, 1L, List.of())));
    }

    @ParameterizedTest
    @MethodSource("strange")
    void anyOtherReplyIsAnError(@Nullable Object reply) {
        assertThatExceptionOfType(RedisErrorException.class).isThrownBy(() -> ClusterView.parse(reply, "asked"));
    }
}
