package dev.leasehold.lettuce;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.tck.LoneServerTransportContract;
import org.junit.jupiter.api.AfterEach;

class LentClientOwnUriLoneServerContractIT extends LoneServerTransportContract {

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
