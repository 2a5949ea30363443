package dev.leasehold.springdata;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisSentinels;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.RedisTransportProvider;

/** Lets the contracts name a server by a URI: each gets a factory over Lettuce, as a Spring context would make it. */
public final class LentByUri implements RedisTransportProvider {

    @Override
    public boolean supports(String scheme) {
        return scheme.equals("redis") || scheme.equals("rediss") || RedisSentinels.isSchemeOf(scheme);
    }

    @Override
    public RedisTransport open(ConnectionSettings settings) {
        return LentFactories.connected(settings);
    }
}
