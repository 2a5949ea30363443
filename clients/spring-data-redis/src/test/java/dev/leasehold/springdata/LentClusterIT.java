package dev.leasehold.springdata;

import static dev.leasehold.tck.TransportCalls.LIMIT;
import static dev.leasehold.tck.TransportCalls.answer;
import static dev.leasehold.tck.TransportCalls.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ServerDescription.Capability;
import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.ManualClock;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/** Over factories that lead to a cluster of three primaries. */
class LentClusterIT {

    private static EmbeddedCluster cluster;

    @BeforeAll
    static void start() {
        cluster = EmbeddedCluster.builder().primaries(3).start();
    }

    @AfterAll
    static void end() {
        cluster.close();
    }

    static Stream<Named<Supplier<RedisConnectionFactory>>> factories() {
        // One node is enough to find the others.
        EmbeddedRedis node = cluster.nodes().get(0);
        return Stream.of(
                Named.of("Lettuce", () -> LentFactories.cluster(nodes(node))),
                Named.of("Lettuce, for one server", () -> LentFactories.lettuce(settings(node.uri()))),
                Named.of("Jedis", () -> overJedis(node)));
    }

    private static RedisClusterConfiguration nodes(EmbeddedRedis node) {
        RedisClusterConfiguration nodes = new RedisClusterConfiguration(List.of(node.host() + ":" + node.port()));
        nodes.setPassword(node.password());
        return nodes;
    }

    private static JedisConnectionFactory overJedis(EmbeddedRedis node) {
        JedisConnectionFactory factory = new JedisConnectionFactory(nodes(node));
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }

    private static LeaseholdBuilder client(RedisConnectionFactory factory) {
        return Leasehold.builder().transport(SpringDataTransport.over(factory)).preflight(Preflight.OFF);
    }

    private static String key(String name) {
        return "leasehold:{" + name + "}";
    }

    private static String nameOn(EmbeddedRedis node) {
        return IntStream.range(0, 10_000)
                .mapToObj(i -> "name-" + i)
                .filter(name -> cluster.nodeOf(key(name)) == node)
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("factories")
    void aLockIsKeptByTheNodeThatHasItsKeyAndAWaiterIsWoken(Supplier<RedisConnectionFactory> given) {
        RedisConnectionFactory factory = given.get();
        try (Leasehold holder = client(factory).build();
                // No time passes for it, so it does not poll.
                Leasehold waiter = client(factory).timer(ManualClock.create()).build()) {
            for (EmbeddedRedis node : cluster.nodes()) {
                String name = nameOn(node);
                Lease held = holder.lock(name).tryAcquire().orElseThrow();
                assertThat(node.command("EXISTS", key(name))).isEqualTo(1L);
                CompletionStage<Lease> next = waiter.lock(name).acquireAsync();
                await().atMost(LIMIT).until(() -> "1".equals(node.command("HGET", key(name), "wn")));
                held.release();
                answer(next).release();
            }
            assertThat(holder.inspector().locks()).isEmpty();
        } finally {
            LentFactories.end((DisposableBean) factory);
        }
    }

    @ParameterizedTest
    @MethodSource("factories")
    void itsNodesAreDescribedAndNoCommandIsSentTwice(Supplier<RedisConnectionFactory> given) {
        RedisConnectionFactory factory = given.get();
        try (RedisTransport transport = SpringDataTransport.over(factory)) {
            assertThat(answer(transport.describe())).satisfies(description -> {
                assertThat(description.capabilities()).contains(Capability.AT_MOST_ONCE);
                assertThat(description.nodes())
                        .containsExactlyInAnyOrderElementsOf(cluster.nodes().stream()
                                .map(node -> new RedisNode(node.host(), node.port(), true))
                                .toList());
            });
        } finally {
            LentFactories.end((DisposableBean) factory);
        }
    }
}
