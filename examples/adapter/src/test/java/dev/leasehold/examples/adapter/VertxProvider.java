package dev.leasehold.examples.adapter;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisSentinels;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.RedisTransportProvider;

/** Lets contracts of locks name a server by a URI. */
public final class VertxProvider implements RedisTransportProvider {

    @Override
    public boolean supports(String scheme) {
        return scheme.equals("redis") || scheme.equals("rediss") || RedisSentinels.isSchemeOf(scheme);
    }

    @Override
    public RedisTransport open(ConnectionSettings settings) {
        return VertxTransport.create(Loops.VERTX, settings);
    }
}
