package dev.leasehold.jedis;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.tck.ClusterTransportContract;
import org.junit.jupiter.api.AfterEach;

class LentClientOfClusterContractIT extends ClusterTransportContract {

    private final LentClients clients = new LentClients();

    @Override
    protected RedisTransport open(ConnectionSettings settings) {
        return clients.ofClusterClosedWith(settings);
    }

    @AfterEach
    void shutDown() {
        clients.close();
    }
}
