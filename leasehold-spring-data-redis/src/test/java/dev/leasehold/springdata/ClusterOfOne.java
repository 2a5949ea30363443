package dev.leasehold.springdata;

import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;
import java.net.URI;

/** Runs a contract on a cluster of one primary: one server has all keys, as the contract expects. */
final class ClusterOfOne {

    private ClusterOfOne() {}

    static EmbeddedRedis start(EmbeddedRedisBuilder settings) {
        return EmbeddedCluster.builder()
                .primaries(1)
                .settings(settings)
                .start()
                .nodes()
                .get(0);
    }

    /** A builder for a client of this node, or of a proxy before it. */
    static LeaseholdBuilder builder(String uri, EmbeddedRedis node) {
        int port = URI.create(uri).getPort();
        return Leasehold.builder().transport(LentFactories.closedWith(LentFactories.cluster(node.port(), port)));
    }
}
