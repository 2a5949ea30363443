package dev.leasehold.jedis;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.tck.TlsContract;

class JedisTlsContractIT extends TlsContract {

    @Override
    protected RedisTransport open(ConnectionSettings settings) {
        return JedisTransport.create(settings);
    }
}
