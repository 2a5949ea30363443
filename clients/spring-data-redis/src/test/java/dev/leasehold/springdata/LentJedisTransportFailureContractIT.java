package dev.leasehold.springdata;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.tck.TransportFailureContract;

/** The contract over a factory of Jedis. */
class LentJedisTransportFailureContractIT extends TransportFailureContract {

    @Override
    protected RedisTransport open(ConnectionSettings settings) {
        return LentFactories.closedWith(LentFactories.jedis(settings));
    }
}
