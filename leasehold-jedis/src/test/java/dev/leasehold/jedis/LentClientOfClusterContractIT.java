package dev.leasehold.jedis;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.tck.TransportContract;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;
import org.junit.jupiter.api.AfterEach;

class LentClientOfClusterContractIT extends TransportContract {

    private final LentClients clients = new LentClients();

    @Override
    protected EmbeddedRedis start(EmbeddedRedisBuilder settings) {
        return ClusterOfOne.start(settings);
    }

    @Override
    protected RedisTransport open(ConnectionSettings settings) {
        return clients.ofClusterClosedWith(settings);
    }

    @AfterEach
    void shutDown() {
        clients.close();
    }
}
