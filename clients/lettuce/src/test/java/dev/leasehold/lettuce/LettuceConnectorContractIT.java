package dev.leasehold.lettuce;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisConnector;
import dev.leasehold.tck.ConnectorContract;

class LettuceConnectorContractIT extends ConnectorContract {

    @Override
    protected RedisConnector connector(ConnectionSettings settings) {
        return OwnedClient.connector(settings);
    }
}
