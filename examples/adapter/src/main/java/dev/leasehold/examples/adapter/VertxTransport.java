package dev.leasehold.examples.adapter;

import dev.leasehold.redis.Redis;
import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import io.vertx.core.Vertx;

// example: adapter-transport
/** Leasehold over the Redis client of Vert.x, for one server, Sentinels or a cluster. */
public final class VertxTransport {

    private VertxTransport() {}

    /**
     * Connects with connections of its own, on the event loops of the application.
     *
     * @param vertx stays open
     * @param settings where and how
     * @return the transport, connected
     */
    public static RedisTransport create(Vertx vertx, ConnectionSettings settings) {
        return Redis.over(new VertxConnector(vertx, settings));
    }
}
// end
