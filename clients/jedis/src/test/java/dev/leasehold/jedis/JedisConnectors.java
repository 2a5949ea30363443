package dev.leasehold.jedis;

import dev.leasehold.spi.RedisConnector;
import dev.leasehold.tck.TransportCalls;

/** Connectors for tests of the core, which needs a blocking one. */
public final class JedisConnectors {

    private JedisConnectors() {}

    public static RedisConnector own(String uri) {
        return OwnConnector.of(TransportCalls.settings(uri));
    }
}
