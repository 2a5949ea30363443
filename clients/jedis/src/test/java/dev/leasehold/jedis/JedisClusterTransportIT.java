package dev.leasehold.jedis;

import static dev.leasehold.jedis.Calls.LIMIT;
import static dev.leasehold.jedis.Calls.answer;
import static dev.leasehold.jedis.Calls.count;
import static dev.leasehold.jedis.Calls.failure;
import static dev.leasehold.jedis.Calls.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription.Capability;
import dev.leasehold.spi.TransportException;
import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedisCluster;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.JedisCluster;
import redis.clients.jedis.UnifiedJedis;

/** A transport that connects to a node of a cluster. */
@WithRedisCluster
class JedisClusterTransportIT {

    private final EmbeddedCluster cluster;
    private RedisTransport transport;

    JedisClusterTransportIT(EmbeddedCluster cluster) {
        this.cluster = cluster;
    }

    @BeforeEach
    void open() {
        transport = JedisTransport.create(settings(cluster.uri()));
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
    void aFrozenNodeDelaysNoOtherNode() {
        EmbeddedRedis dead = cluster.nodes().get(1);
        cluster.nodes().forEach(node -> answer(transport.eval(count(keyOn(node)))));
        List<ScriptCall> calls =
                cluster.nodes().stream().map(node -> count(keyOn(node))).toList();
        dead.pause();
        for (int round = 0; round < 2; round++) {
            List<CompletionStage<List<String>>> batch = transport.evalBatch(calls);
            answer(batch.get(0));
            answer(batch.get(2));
            answer(transport.eval(calls.get(0)));
            answer(transport.eval(calls.get(2)));
            assertThat(batch.get(1).toCompletableFuture()).isNotDone();
            // Its lane gives up by itself; this puts the callers' connection in doubt.
            CompletionStage<List<String>> silent = transport.eval(count(keyOn(dead), Duration.ofMillis(20)));
            assertThat(failure(silent)).isInstanceOf(TransportException.class);
            assertThat(failure(batch.get(1))).isInstanceOf(TransportException.class);
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
            assertThat(failure(transport.eval(count(key, Duration.ofMillis(20)))))
                    .isNotNull();
            other.command("PUBLISH", "c", "again");
            return heard.contains("again");
        });
    }

    @Test
    void aSubscriptionToAShardIsRepeatedIfItsServerFallsSilent() {
        EmbeddedRedis node = cluster.nodes().get(1);
        String key = keyOn(node);
        AtomicInteger resubscriptions = new AtomicInteger();
        answer(transport.subscribe("c{" + transport.shardOf(key) + "}", new ChannelListener() {
            @Override
            public void message(String message) {}

            @Override
            public void resubscribed() {
                resubscriptions.incrementAndGet();
            }
        }));
        await().atMost(LIMIT).until(() -> {
            node.pause();
            // The first shows that it is silent, and the second gives time to find out whether to everybody.
            assertThat(failure(transport.eval(count(key, Duration.ofMillis(20)))))
                    .isNotNull();
            assertThat(failure(transport.eval(count(key, Duration.ofSeconds(1)))))
                    .isNotNull();
            node.resume();
            return resubscriptions.get() > 0;
        });
    }

    @Test
    void aLentClusterClientIsUsedAndLeftOpen() {
        try (JedisCluster client = LentClients.ofCluster(settings(cluster.uri()), 8)) {
            try (RedisTransport lent = JedisTransport.over(client)) {
                for (EmbeddedRedis node : cluster.nodes()) {
                    assertThat(answer(lent.eval(count(keyOn(node))))).containsExactly("1");
                    lent.evalBatch(List.of(count(keyOn(node)))).forEach(Calls::answer);
                    answer(lent.subscribe("c{" + lent.shardOf(keyOn(node)) + "}", message -> {}));
                }
                answer(lent.subscribe("c", message -> {}));
                assertThat(answer(lent.describe()).capabilities())
                        .containsExactlyInAnyOrder(
                                Capability.AT_MOST_ONCE, Capability.SHARDED_PUBSUB, Capability.WAITS_FOR_REPLICAS);
            }
            assertThat(client.get(keyOn(cluster.nodes().get(0)))).isEqualTo("2");
            await().atMost(LIMIT)
                    .until(() -> client.getClusterNodes().values().stream().allMatch(pool -> pool.getNumActive() == 0));
        }
    }

    @Test
    void aLentClientOfAClusterFollowsASlotThatItDoesNotKnowToHaveMoved() {
        EmbeddedRedis from = cluster.nodeOf("moved");
        int slot = cluster.slotOf("moved");
        try (JedisCluster client = LentClients.ofCluster(settings(cluster.uri()), 8);
                RedisTransport lent = JedisTransport.over(client)) {
            cluster.migrate(slot, otherThan(from));
            assertThat(answer(lent.eval(count("moved")))).containsExactly("1");
        } finally {
            cluster.migrate(slot, from);
        }
    }

    @Test
    void aLentClientWhosePoolsAreTooSmallIsRefused() {
        try (JedisCluster client = LentClients.ofCluster(settings(cluster.uri()), 3)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> JedisTransport.over(client))
                    .withMessageContaining("maxTotal to 4");
        }
    }

    @Test
    void aLentClientForOneServerDoesNotReachTheOthers() {
        try (LentClients clients = new LentClients()) {
            UnifiedJedis client = clients.client(settings(cluster.uri()));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> JedisTransport.over(client))
                    .withMessageContaining("Lend a client of the cluster");
        }
    }
}
