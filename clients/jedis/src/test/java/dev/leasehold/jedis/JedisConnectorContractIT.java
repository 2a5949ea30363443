package dev.leasehold.jedis;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisConnector;
import dev.leasehold.tck.ConnectorContract;

class JedisConnectorContractIT extends ConnectorContract {

    @Override
    protected RedisConnector connector(ConnectionSettings settings) {
        return OwnConnector.of(settings);
    }
}
