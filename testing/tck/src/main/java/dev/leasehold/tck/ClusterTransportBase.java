package dev.leasehold.tck;

import static dev.leasehold.tck.TransportCalls.settings;

import dev.leasehold.spi.RedisTransport;
import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedisCluster;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Base of the contracts of transports on three primaries: the cluster, and the transport under test. */
@WithRedisCluster
@On(value = Topology.CLUSTER, withConnectors = true)
abstract class ClusterTransportBase extends AnyContract {

    EmbeddedCluster cluster;
    RedisTransport transport;

    @BeforeEach
    void open(EmbeddedCluster started) {
        cluster = started;
        transport = way().open(settings(cluster.uri()));
    }

    @AfterEach
    void close() {
        transport.close();
    }

    final String keyOn(EmbeddedRedis node) {
        return TransportCalls.keyOn(cluster, node);
    }

    final EmbeddedRedis otherThan(EmbeddedRedis... nodes) {
        return cluster.nodes().stream()
                .filter(each -> !List.of(nodes).contains(each))
                .findFirst()
                .orElseThrow();
    }
}
