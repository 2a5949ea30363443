package dev.leasehold.lettuce;

import static dev.leasehold.tck.TransportCalls.LIMIT;
import static dev.leasehold.tck.TransportCalls.answer;
import static dev.leasehold.tck.TransportCalls.call;
import static dev.leasehold.tck.TransportCalls.count;
import static dev.leasehold.tck.TransportCalls.failure;
import static dev.leasehold.tck.TransportCalls.keyOn;
import static dev.leasehold.tck.TransportCalls.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
import org.junit.jupiter.api.Test;

/** Over clients of the application that lead to a cluster of three primaries. */
@WithRedisCluster
class LentClusterIT {

    private final EmbeddedCluster cluster;

    LentClusterIT(EmbeddedCluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void aLentClusterClientIsUsedAndLeftOpen() {
        try (RedisClusterClient client = RedisClusterClient.create(OwnedClient.uri(settings(cluster.uri())));
                StatefulRedisClusterConnection<String, String> theirs = client.connect()) {
            try (RedisTransport lent = LettuceTransport.over(client)) {
                for (EmbeddedRedis node : cluster.nodes()) {
                    assertThat(answer(lent.eval(count(keyOn(cluster, node))))).containsExactly("1");
                }
                assertThat(answer(lent.describe()).capabilities())
                        .containsExactlyInAnyOrder(
                                Capability.AT_MOST_ONCE,
                                Capability.SHARES_CONNECTIONS,
                                Capability.SHARDED_PUBSUB,
                                Capability.WAITS_FOR_REPLICAS,
                                Capability.TRACKS_KEYS);
            }
            assertThat(theirs.sync().get(keyOn(cluster, cluster.nodes().get(0))))
                    .isEqualTo("1");
        }
    }

    @Test
    void aLentClientForOneServerReachesTheOthersOnlyByAUri() {
        try (LentClients clients = new LentClients()) {
            RedisClient client = clients.client(settings(cluster.uri()));
            try (RedisTransport lent = LettuceTransport.over(client, OwnedClient.uri(settings(cluster.uri())))) {
                for (EmbeddedRedis node : cluster.nodes()) {
                    assertThat(answer(lent.eval(count(keyOn(cluster, node))))).containsExactly("1");
                }
            }
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> LettuceTransport.over(client))
                    .withMessageContaining("client of the cluster");
        }
    }

    /** Jedis takes it for one, and reads no further. */
    @Test
    void anErrorOfTheScriptIsNoRedirection() {
        ScriptCall call = call(LIMIT, "return redis.error_reply('MOVED to somewhere else')", List.of("a"));
        try (RedisClusterClient client = RedisClusterClient.create(OwnedClient.uri(settings(cluster.uri())));
                RedisTransport lent = LettuceTransport.over(client)) {
            assertThat(failure(lent.eval(call), RedisErrorException.class).code())
                    .isEqualTo("MOVED");
        }
    }
}
