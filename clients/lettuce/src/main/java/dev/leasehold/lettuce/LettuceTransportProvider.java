package dev.leasehold.lettuce;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisSentinels;
import dev.leasehold.spi.RedisSocket;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.RedisTransportProvider;

/**
 * Opens {@code redis}, {@code rediss}, {@code redis-sentinel}, {@code rediss-sentinel} and {@code redis-socket} URIs over
 * Lettuce. Found by {@link java.util.ServiceLoader}.
 */
public final class LettuceTransportProvider implements RedisTransportProvider {

    /** For {@link java.util.ServiceLoader}. */
    public LettuceTransportProvider() {}

    @Override
    public boolean supports(String scheme) {
        return (scheme.equals("redis")
                        || scheme.equals("rediss")
                        || RedisSentinels.isSchemeOf(scheme)
                        || scheme.equals(RedisSocket.SCHEME))
                && canLoad("io.lettuce.core.RedisClient");
    }

    @Override
    public RedisTransport open(ConnectionSettings settings) {
        return LettuceTransport.create(settings);
    }
}
