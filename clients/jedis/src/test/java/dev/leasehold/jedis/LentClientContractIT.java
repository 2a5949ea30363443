package dev.leasehold.jedis;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.tck.TransportContract;
import org.junit.jupiter.api.AfterEach;

class LentClientContractIT extends TransportContract {

    private final LentClients clients = new LentClients();

    @Override
    protected RedisTransport open(ConnectionSettings settings) {
        return clients.closedWith(settings);
    }

    @AfterEach
    void shutDown() {
        clients.close();
    }
}
