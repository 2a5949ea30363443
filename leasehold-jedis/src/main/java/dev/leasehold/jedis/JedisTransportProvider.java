package dev.leasehold.jedis;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisSentinels;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.RedisTransportProvider;

/** Opens {@code redis}, {@code rediss} and {@code redis-sentinel} URIs over Jedis. Found by {@link java.util.ServiceLoader}. */
public final class JedisTransportProvider implements RedisTransportProvider {

    /** For {@link java.util.ServiceLoader}. */
    public JedisTransportProvider() {}

    @Override
    public boolean supports(String scheme) {
        return scheme.equals("redis") || scheme.equals("rediss") || scheme.equals(RedisSentinels.SCHEME);
    }

    @Override
    public RedisTransport open(ConnectionSettings settings) {
        return JedisTransport.create(settings);
    }
}
