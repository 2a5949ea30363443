package dev.leasehold.jedis;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.tck.TransportFailureContract;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;

/** The contract over Jedis, on a cluster whose node names the proxy when it is asked who has the slots. */
class JedisClusterTransportFailureContractIT extends TransportFailureContract {

    @Override
    protected EmbeddedRedis start(EmbeddedRedisBuilder settings) {
        return ClusterOfOne.start(settings);
    }

    @Override
    protected RedisTransport open(ConnectionSettings settings) {
        server().command(
                        "CONFIG",
                        "SET",
                        "cluster-announce-port",
                        String.valueOf(settings.uri().getPort()));
        return JedisTransport.create(settings);
    }
}
