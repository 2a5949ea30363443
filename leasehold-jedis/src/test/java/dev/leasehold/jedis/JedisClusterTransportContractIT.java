package dev.leasehold.jedis;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.tck.TransportContract;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;

/** The contract over Jedis, on a cluster. */
class JedisClusterTransportContractIT extends TransportContract {

    @Override
    protected EmbeddedRedis start(EmbeddedRedisBuilder settings) {
        return ClusterOfOne.start(settings);
    }

    @Override
    protected RedisTransport open(ConnectionSettings settings) {
        return JedisTransport.create(settings);
    }
}
