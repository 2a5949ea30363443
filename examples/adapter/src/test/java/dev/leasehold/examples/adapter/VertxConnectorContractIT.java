package dev.leasehold.examples.adapter;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisConnector;
import dev.leasehold.tck.ConnectorContract;

// example: adapter-contract
class VertxConnectorContractIT extends ConnectorContract {

    @Override
    protected RedisConnector connector(ConnectionSettings settings) {
        return new VertxConnector(Loops.VERTX, settings);
    }
}
// end
