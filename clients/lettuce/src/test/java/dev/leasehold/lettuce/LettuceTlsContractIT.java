package dev.leasehold.lettuce;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.tck.TlsContract;

class LettuceTlsContractIT extends TlsContract {

    @Override
    protected RedisTransport open(ConnectionSettings settings) {
        return LettuceTransport.create(settings);
    }
}
