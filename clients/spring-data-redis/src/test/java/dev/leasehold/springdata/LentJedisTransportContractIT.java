package dev.leasehold.springdata;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.tck.TransportContract;

/** The contract over a factory of Jedis. */
class LentJedisTransportContractIT extends TransportContract {

    @Override
    protected RedisTransport open(ConnectionSettings settings) {
        return LentFactories.closedWith(LentFactories.jedis(settings));
    }
}
