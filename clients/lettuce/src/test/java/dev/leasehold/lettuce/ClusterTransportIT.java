package dev.leasehold.lettuce;

import static dev.leasehold.lettuce.Calls.LIMIT;
import static dev.leasehold.lettuce.Calls.answer;
import static dev.leasehold.lettuce.Calls.count;
import static dev.leasehold.lettuce.Calls.failure;
import static dev.leasehold.lettuce.Calls.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.ServerDescription.Capability;
import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedisCluster;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A transport that connects to a node of a cluster. */
@WithRedisCluster
class ClusterTransportIT {

    private final EmbeddedCluster cluster;
    private RedisTransport transport;

    ClusterTransportIT(EmbeddedCluster cluster) {
        this.cluster = cluster;
    }

    @BeforeEach
    void open() {
        transport = LettuceTransport.create(settings(cluster.uri()));
    }

    @AfterEach
    void close() {
        transport.close();
    }

    /** A key that this node has. */
    private String keyOn(EmbeddedRedis node) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "key" + i)
                .filter(key -> cluster.nodeOf(key) == node)
                .findFirst()
                .orElseThrow();
    }

    private EmbeddedRedis otherThan(EmbeddedRedis node) {
        return cluster.nodes().stream().filter(each -> each != node).findFirst().orElseThrow();
    }

    private static long calls(EmbeddedRedis node) {
        return node.commandCounts().getOrDefault("evalsha", 0L)
                + node.commandCounts().getOrDefault("eval", 0L);
    }

    @Test
    void sendsEachCallStraightToTheNodeOfItsKey() {
        cluster.nodes().forEach(EmbeddedRedis::resetStats);
        for (EmbeddedRedis node : cluster.nodes()) {
            assertThat(answer(transport.eval(count(keyOn(node))))).containsExactly("1");
            assertThat(node.command("GET", keyOn(node))).isEqualTo("1");
        }
        assertThat(cluster.nodes())
                .allSatisfy(node -> assertThat(node.info("errorstats")).doesNotContainKey("errorstat_MOVED"));
    }

    @Test
    void sendsABatchToAllNodesAndAnswersInItsOrder() {
        List<ScriptCall> calls = IntStream.range(0, 6)
                .mapToObj(i -> count(keyOn(cluster.nodes().get(i % 3))))
                .toList();
        assertThat(transport.evalBatch(calls).stream().map(Calls::answer))
                .containsExactly(List.of("1"), List.of("1"), List.of("1"), List.of("2"), List.of("2"), List.of("2"));
    }

    @Test
    void describesAllNodesAndCommandsEachOfThem() {
        ServerDescription description = answer(transport.describe());
        EmbeddedRedis first = cluster.nodes().get(0);
        assertThat(description.version()).isEqualTo(first.info("server").get("redis_version"));
        assertThat(description.capabilities())
                .containsExactlyInAnyOrder(
                        Capability.AT_MOST_ONCE,
                        Capability.SHARDED_PUBSUB,
                        Capability.WAITS_FOR_REPLICAS,
                        Capability.CONVERSES);
        assertThat(description.nodes())
                .containsExactlyInAnyOrderElementsOf(cluster.nodes().stream()
                        .map(node -> new RedisNode(node.host(), node.port(), true))
                        .toList());
        for (RedisNode node : description.nodes()) {
            assertThat(String.valueOf(answer(transport.command(node, List.of("INFO", "server")))))
                    .contains("tcp_port:" + node.port());
        }
        assertThat(answer(transport.command(null, List.of("PING")))).isEqualTo("PONG");
        for (EmbeddedRedis node : cluster.nodes()) {
            assertThat(answer(transport.command(null, List.of("SET", keyOn(node), "value"))))
                    .isEqualTo("OK");
        }
        assertThat(failure(transport.command(new RedisNode("127.0.0.1", 1, true), List.of("PING"))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void followsASlotThatMovesAndThenGoesThereDirectly() {
        EmbeddedRedis from = cluster.nodeOf("moving");
        EmbeddedRedis to = otherThan(from);
        int slot = cluster.slotOf("moving");
        cluster.beginMigration(slot, to);
        // Not there yet, so asked for at the target; the script is unknown there and must be sent behind ASKING as
        // well.
        to.command("SCRIPT", "FLUSH");
        assertThat(answer(transport.eval(count("moving")))).containsExactly("1");
        assertThat(transport.evalBatch(List.of(count("moving"), count("moving"))).stream()
                        .map(Calls::answer))
                .containsExactlyInAnyOrder(List.of("2"), List.of("3"));
        cluster.moveKeys(slot);
        cluster.finishMigration(slot);
        assertThat(answer(transport.eval(count("moving")))).containsExactly("4");
        from.resetStats();
        assertThat(answer(transport.eval(count("moving")))).containsExactly("5");
        assertThat(calls(from)).isZero();
        cluster.migrate(slot, from);
        assertThat(answer(transport.eval(count("moving")))).containsExactly("6");
    }

    @Test
    void anErrorOfTheScriptIsNoRedirection() {
        ScriptCall call = Calls.script("return redis.error_reply('MOVED to somewhere else')", "a", LIMIT);
        assertThat(failure(transport.eval(call)))
                .isInstanceOfSatisfying(
                        RedisErrorException.class, e -> assertThat(e.code()).isEqualTo("MOVED"));
    }

    @Test
    void aFrozenNodeDelaysNoOtherNode() {
        EmbeddedRedis dead = cluster.nodes().get(1);
        cluster.nodes().forEach(node -> answer(transport.eval(count(keyOn(node)))));
        List<ScriptCall> calls =
                cluster.nodes().stream().map(node -> count(keyOn(node))).toList();
        dead.pause();
        for (int round = 0; round < 20; round++) {
            List<CompletionStage<List<String>>> batch = transport.evalBatch(calls);
            CompletionStage<List<String>> single = transport.eval(calls.get(1));
            answer(batch.get(0));
            answer(batch.get(2));
            answer(transport.eval(calls.get(0)));
            answer(transport.eval(calls.get(2)));
            assertThat(batch.get(1).toCompletableFuture()).isNotDone();
            // Puts the connections in doubt, so that from now on the node is being connected to.
            batch.get(1).toCompletableFuture().cancel(false);
            single.toCompletableFuture().cancel(false);
        }
        dead.resume();
        await().atMost(LIMIT).ignoreExceptions().untilAsserted(() -> answer(transport.eval(count(keyOn(dead)))));
    }

    @Test
    void aNodeThatIsEndedAndComesBackIsUsedAgain() {
        EmbeddedRedis node = cluster.nodes().get(2);
        String key = keyOn(node);
        String other = keyOn(cluster.nodes().get(0));
        answer(transport.eval(count(key)));
        node.kill();
        await().atMost(LIMIT)
                .untilAsserted(
                        () -> assertThat(failure(transport.eval(count(key)))).isNotNull());
        answer(transport.eval(count(other)));
        node.restart();
        cluster.awaitHealthy();
        await().atMost(LIMIT)
                .ignoreExceptionsInstanceOf(AssertionError.class)
                .until(() -> answer(transport.eval(count(key))).size() == 1);
    }

    @Test
    void aSubscriptionHearsWhatIsPublishedAnywhereAndMovesWhenItsServerDies() {
        Queue<String> heard = new ConcurrentLinkedQueue<>();
        answer(transport.subscribe("c", heard::add));
        for (EmbeddedRedis node : cluster.nodes()) {
            node.command("PUBLISH", "c", "from " + node.port());
        }
        await().atMost(LIMIT).until(() -> heard.size() == 3);
        EmbeddedRedis home = cluster.nodes().stream()
                .filter(node -> List.of("c").equals(node.command("PUBSUB", "CHANNELS", "c")))
                .findFirst()
                .orElseThrow();
        home.pause();
        // A caller that stops waiting for the silent server shows that it is silent.
        String key = keyOn(home);
        EmbeddedRedis other = otherThan(home);
        await().atMost(LIMIT).until(() -> {
            transport.eval(count(key)).toCompletableFuture().cancel(false);
            other.command("PUBLISH", "c", "again");
            return heard.contains("again");
        });
    }

    @Test
    void aLentClusterClientIsUsedAndLeftOpen() {
        try (RedisClusterClient client = RedisClusterClient.create(OwnedClient.uri(settings(cluster.uri())));
                StatefulRedisClusterConnection<String, String> theirs = client.connect()) {
            try (RedisTransport lent = LettuceTransport.over(client)) {
                for (EmbeddedRedis node : cluster.nodes()) {
                    assertThat(answer(lent.eval(count(keyOn(node))))).containsExactly("1");
                }
                assertThat(answer(lent.describe()).capabilities())
                        .containsExactlyInAnyOrder(
                                Capability.AT_MOST_ONCE,
                                Capability.SHARDED_PUBSUB,
                                Capability.WAITS_FOR_REPLICAS,
                                Capability.CONVERSES);
            }
            assertThat(theirs.sync().get(keyOn(cluster.nodes().get(0)))).isEqualTo("1");
        }
    }

    @Test
    void aLentClientForOneServerReachesTheOthersOnlyByAUri() {
        try (LentClients clients = new LentClients()) {
            RedisClient client = clients.client(settings(cluster.uri()));
            try (RedisTransport lent = LettuceTransport.over(client, OwnedClient.uri(settings(cluster.uri())))) {
                for (EmbeddedRedis node : cluster.nodes()) {
                    assertThat(answer(lent.eval(count(keyOn(node))))).containsExactly("1");
                }
            }
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> LettuceTransport.over(client))
                    .withMessageContaining("client of the cluster");
        }
    }
}
