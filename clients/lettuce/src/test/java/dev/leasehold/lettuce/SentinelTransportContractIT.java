package dev.leasehold.lettuce;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.tck.SentinelTransportContract;

/** The contract over Lettuce, on a primary that sentinels name. */
class SentinelTransportContractIT extends SentinelTransportContract {

    @Override
    protected RedisTransport openBySentinels(ConnectionSettings settings) {
        return LettuceTransport.create(settings);
    }
}
