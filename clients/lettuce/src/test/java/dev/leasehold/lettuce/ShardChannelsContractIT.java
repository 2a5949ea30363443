package dev.leasehold.lettuce;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.tck.ShardChannelsContract;
import dev.leasehold.testkit.EmbeddedCluster;

class ShardChannelsContractIT extends ShardChannelsContract {

    ShardChannelsContractIT(EmbeddedCluster cluster) {
        super(cluster);
    }

    @Override
    protected RedisTransport open(ConnectionSettings settings) {
        return LettuceTransport.create(settings);
    }
}
