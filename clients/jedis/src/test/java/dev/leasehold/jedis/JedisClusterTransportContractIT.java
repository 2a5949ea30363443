package dev.leasehold.jedis;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.tck.ClusterTransportContract;

/** The contract over Jedis, on a cluster. */
class JedisClusterTransportContractIT extends ClusterTransportContract {

    @Override
    protected RedisTransport open(ConnectionSettings settings) {
        return JedisTransport.create(settings);
    }
}
