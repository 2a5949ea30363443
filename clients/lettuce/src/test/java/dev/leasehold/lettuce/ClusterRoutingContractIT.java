package dev.leasehold.lettuce;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.tck.ClusterRoutingContract;
import dev.leasehold.testkit.EmbeddedCluster;

class ClusterRoutingContractIT extends ClusterRoutingContract {

    ClusterRoutingContractIT(EmbeddedCluster cluster) {
        super(cluster);
    }

    @Override
    protected RedisTransport open(ConnectionSettings settings) {
        return LettuceTransport.create(settings);
    }
}
