package dev.leasehold.tck;

import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;

/** One standalone server. */
final class StandaloneSite implements Site {

    private final EmbeddedRedis server;

    StandaloneSite(EmbeddedRedisBuilder settings) {
        this(settings.start());
    }

    StandaloneSite(EmbeddedRedis server) {
        this.server = server;
    }

    @Override
    public Topology topology() {
        return Topology.STANDALONE;
    }

    @Override
    public EmbeddedRedis server() {
        return server;
    }

    @Override
    public void close() {
        server.close();
    }
}
