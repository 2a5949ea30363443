package dev.leasehold.jedis;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.tck.LoneServerTransportContract;

class JedisLoneServerTransportContractIT extends LoneServerTransportContract {

    @Override
    protected RedisTransport open(ConnectionSettings settings) {
        return JedisTransport.create(settings);
    }
}
