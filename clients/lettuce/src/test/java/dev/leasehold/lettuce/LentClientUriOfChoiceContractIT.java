package dev.leasehold.lettuce;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.tck.TransportContract;
import org.junit.jupiter.api.AfterEach;

class LentClientUriOfChoiceContractIT extends TransportContract {

    private final LentClients clients = new LentClients();

    @Override
    protected RedisTransport open(ConnectionSettings settings) {
        return LettuceTransport.over(clients.client(settings), OwnedClient.uri(settings));
    }

    @AfterEach
    void shutDown() {
        clients.close();
    }
}
