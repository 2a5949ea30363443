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
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ScriptCall;
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
                                Capability.SHARES_CONNECTIONS,
                                Capability.SHARDED_PUBSUB,
                                Capability.WAITS_FOR_REPLICAS,
                                Capability.TRACKS_KEYS);
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
