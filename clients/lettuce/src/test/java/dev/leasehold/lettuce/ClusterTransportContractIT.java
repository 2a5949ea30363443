package dev.leasehold.lettuce;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.tck.ClusterTransportContract;

/** The contract over Lettuce, on a cluster. */
class ClusterTransportContractIT extends ClusterTransportContract {

    @Override
    protected RedisTransport open(ConnectionSettings settings) {
        return LettuceTransport.create(settings);
    }
}
