package dev.leasehold.jedis;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisSentinels;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.RedisTransportProvider;

/**
 * Opens {@code redis}, {@code rediss}, {@code redis-sentinel} and {@code rediss-sentinel} URIs over Jedis. Found by
 * {@link java.util.ServiceLoader}.
 */
public final class JedisTransportProvider implements RedisTransportProvider {

    /** For {@link java.util.ServiceLoader}. */
    public JedisTransportProvider() {}

    @Override
    public boolean supports(String scheme) {
        return (scheme.equals("redis") || scheme.equals("rediss") || RedisSentinels.isSchemeOf(scheme))
                && canLoad("redis.clients.jedis.Connection");
    }

    @Override
    public RedisTransport open(ConnectionSettings settings) {
        return JedisTransport.create(settings);
    }
}
