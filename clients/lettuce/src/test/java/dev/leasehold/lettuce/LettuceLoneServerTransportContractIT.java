package dev.leasehold.lettuce;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.tck.LoneServerTransportContract;

class LettuceLoneServerTransportContractIT extends LoneServerTransportContract {

    @Override
    protected RedisTransport open(ConnectionSettings settings) {
        return LettuceTransport.create(settings);
    }
}
