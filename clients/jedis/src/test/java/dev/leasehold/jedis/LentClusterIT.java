package dev.leasehold.jedis;

import static dev.leasehold.tck.TransportCalls.LIMIT;
import static dev.leasehold.tck.TransportCalls.answer;
import static dev.leasehold.tck.TransportCalls.count;
import static dev.leasehold.tck.TransportCalls.keyOn;
import static dev.leasehold.tck.TransportCalls.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ServerDescription.Capability;
import dev.leasehold.tck.TransportCalls;
import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedisCluster;
import java.util.List;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.JedisCluster;
import redis.clients.jedis.UnifiedJedis;

/** Over clients of the application that lead to a cluster of three primaries. */
@WithRedisCluster
class LentClusterIT {

    private final EmbeddedCluster cluster;

    LentClusterIT(EmbeddedCluster cluster) {
        this.cluster = cluster;
    }

    private EmbeddedRedis otherThan(EmbeddedRedis node) {
        return cluster.nodes().stream().filter(each -> each != node).findFirst().orElseThrow();
    }

    @Test
    void aLentClusterClientIsUsedAndLeftOpen() {
        try (JedisCluster client = LentClients.ofCluster(settings(cluster.uri()), 8)) {
            try (RedisTransport lent = JedisTransport.over(client)) {
                for (EmbeddedRedis node : cluster.nodes()) {
                    assertThat(answer(lent.eval(count(keyOn(cluster, node))))).containsExactly("1");
                    lent.evalBatch(List.of(count(keyOn(cluster, node)))).forEach(TransportCalls::answer);
                    answer(lent.subscribe("c{" + lent.shardOf(keyOn(cluster, node)) + "}", message -> {}));
                }
                answer(lent.subscribe("c", message -> {}));
                assertThat(answer(lent.describe()).capabilities())
                        .containsExactlyInAnyOrder(
                                Capability.AT_MOST_ONCE, Capability.SHARDED_PUBSUB, Capability.WAITS_FOR_REPLICAS);
            }
            assertThat(client.get(keyOn(cluster, cluster.nodes().get(0)))).isEqualTo("2");
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
