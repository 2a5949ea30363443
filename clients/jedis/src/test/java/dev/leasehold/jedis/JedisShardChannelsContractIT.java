package dev.leasehold.jedis;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.tck.ShardChannelsContract;
import dev.leasehold.testkit.EmbeddedCluster;

class JedisShardChannelsContractIT extends ShardChannelsContract {

    JedisShardChannelsContractIT(EmbeddedCluster cluster) {
        super(cluster);
    }

    @Override
    protected RedisTransport open(ConnectionSettings settings) {
        return JedisTransport.create(settings);
    }
}
