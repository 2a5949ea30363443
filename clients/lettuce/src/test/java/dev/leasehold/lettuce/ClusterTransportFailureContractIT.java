package dev.leasehold.lettuce;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.tck.ClusterTransportFailureContract;

/** The contract over Lettuce, on a cluster whose node names the proxy when it is asked for the owners of the slots. */
class ClusterTransportFailureContractIT extends ClusterTransportFailureContract {

    @Override
    protected RedisTransport openByNode(ConnectionSettings settings) {
        return LettuceTransport.create(settings);
    }
}
