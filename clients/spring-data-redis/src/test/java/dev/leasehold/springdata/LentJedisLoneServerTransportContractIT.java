package dev.leasehold.springdata;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.tck.LoneServerTransportContract;

/** The contract over a factory of Jedis. */
class LentJedisLoneServerTransportContractIT extends LoneServerTransportContract {

    @Override
    protected RedisTransport open(ConnectionSettings settings) {
        return LentFactories.closedWith(LentFactories.jedis(settings));
    }
}
