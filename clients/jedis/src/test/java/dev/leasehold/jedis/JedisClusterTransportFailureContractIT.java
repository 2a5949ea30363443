package dev.leasehold.jedis;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.tck.ClusterTransportFailureContract;

/** The contract over Jedis, on a cluster whose node names the proxy when it is asked for the owners of the slots. */
class JedisClusterTransportFailureContractIT extends ClusterTransportFailureContract {

    @Override
    protected RedisTransport openByNode(ConnectionSettings settings) {
        return JedisTransport.create(settings);
    }
}
