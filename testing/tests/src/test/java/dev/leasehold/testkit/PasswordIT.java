package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every program of the machine reaches the ports of embedded servers, so only a client with the password gets in. */
class PasswordIT {

    /** Running servers, and the URIs by which clients reach them. */
    private record Servers(List<EmbeddedRedis> nodes, List<String> uris, Runnable end) implements AutoCloseable {

        static Servers of(EmbeddedRedis redis) {
            return new Servers(List.of(redis), List.of(redis.uri()), redis::close);
        }

        static Servers of(EmbeddedCluster cluster) {
            return new Servers(cluster.nodes(), cluster.uris(), cluster::close);
        }

        static Servers of(EmbeddedSentinel group) {
            return new Servers(group.nodes(), List.of(group.uri()), group::close);
        }

        static Servers of(EmbeddedQuorum quorum) {
            return new Servers(quorum.nodes(), quorum.uris(), quorum::close);
        }

        @Override
        public void close() {
            end.run();
        }
    }

    private enum Kind {
        SINGLE(() -> Servers.of(EmbeddedRedis.start()), settings -> Servers.of(settings.start())),
        CLUSTER(
                () -> Servers.of(EmbeddedCluster.start()),
                settings ->
                        Servers.of(EmbeddedCluster.builder().settings(settings).start())),
        SENTINEL(
                () -> Servers.of(EmbeddedSentinel.start()),
                settings ->
                        Servers.of(EmbeddedSentinel.builder().settings(settings).start())),
        QUORUM(
                () -> Servers.of(EmbeddedQuorum.start()),
                settings ->
                        Servers.of(EmbeddedQuorum.builder().settings(settings).start()));

        private final Supplier<Servers> byDefault;
        private final Function<EmbeddedRedisBuilder, Servers> with;

        Kind(Supplier<Servers> byDefault, Function<EmbeddedRedisBuilder, Servers> with) {
            this.byDefault = byDefault;
            this.with = with;
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStrangerIsRefusedAndAClientWithThePasswordOfTheUriIsNot(Kind kind) throws IOException {
        try (Servers servers = kind.byDefault.get()) {
            String password = servers.nodes().get(0).password();
            assertThat(password).matches("[0-9a-f]{32}");
            assertThat(servers.uris()).allMatch(uri -> uri.contains("://:" + password + "@"));
            for (EmbeddedRedis node : servers.nodes()) {
                assertThat(node.password()).isEqualTo(password);
                try (RespClient client = new RespClient(node.host(), node.port(), TestLimits.ANSWER)) {
                    assertThatThrownBy(() -> client.command("PING")).hasMessageStartingWith("NOAUTH");
                    assertThat(client.command("AUTH", password)).isEqualTo("OK");
                    assertThat(client.command("PING")).isEqualTo("PONG");
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStrangerGetsInIfTheServersAreWithoutPassword(Kind kind) throws IOException {
        try (Servers servers = kind.with.apply(EmbeddedRedis.builder().withoutPassword())) {
            assertThat(servers.uris()).allMatch(uri -> uri.contains("://127.0.0.1:"));
            for (EmbeddedRedis node : servers.nodes()) {
                assertThat(node.password()).isNull();
                try (RespClient client = new RespClient(node.host(), node.port(), TestLimits.ANSWER)) {
                    assertThat(client.command("PING")).isEqualTo("PONG");
                }
            }
        }
    }
}
