package dev.leasehold.jedis;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.tck.SentinelTransportContract;

/** The contract over Jedis, on a primary that sentinels name. */
class SentinelTransportContractIT extends SentinelTransportContract {

    @Override
    protected RedisTransport openBySentinels(ConnectionSettings settings) {
        return JedisTransport.create(settings);
    }
}
