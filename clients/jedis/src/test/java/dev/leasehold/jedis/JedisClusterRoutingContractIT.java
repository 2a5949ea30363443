package dev.leasehold.jedis;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.tck.ClusterRoutingContract;
import dev.leasehold.testkit.EmbeddedCluster;

class JedisClusterRoutingContractIT extends ClusterRoutingContract {

    JedisClusterRoutingContractIT(EmbeddedCluster cluster) {
        super(cluster);
    }

    @Override
    protected RedisTransport open(ConnectionSettings settings) {
        return JedisTransport.create(settings);
    }
}
