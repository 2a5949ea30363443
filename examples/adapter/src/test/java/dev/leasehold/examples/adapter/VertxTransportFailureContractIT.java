package dev.leasehold.examples.adapter;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.tck.TransportFailureContract;

class VertxTransportFailureContractIT extends TransportFailureContract {

    @Override
    protected RedisTransport open(ConnectionSettings settings) {
        return VertxTransport.create(Loops.VERTX, settings);
    }
}
