package dev.leasehold.lettuce;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.tck.TransportFailureContract;
import org.junit.jupiter.api.AfterEach;

class LentClientOwnUriFailureContractIT extends TransportFailureContract {

    private final LentClients clients = new LentClients();

    @Override
    protected RedisTransport open(ConnectionSettings settings) {
        return LettuceTransport.over(clients.client(settings));
    }

    @AfterEach
    void shutDown() {
        clients.close();
    }
}
