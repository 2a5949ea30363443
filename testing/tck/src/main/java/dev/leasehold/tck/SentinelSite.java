package dev.leasehold.tck;

import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;
import dev.leasehold.testkit.EmbeddedSentinel;
import java.net.URI;
import java.time.Duration;

/**
 * A primary with two replicas and three sentinels, which clients query for the primary. A client behind a proxy
 * connects to the proxy, since sentinels name the primary and never the proxy.
 */
final class SentinelSite implements Site {

    /** No fault of a contract may make the sentinels consider a server down. */
    private static final Duration NEVER_DOWN = Duration.ofMinutes(5);

    private final EmbeddedSentinel group;
    private final EmbeddedRedis primary;

    SentinelSite(EmbeddedRedisBuilder settings) {
        group = EmbeddedSentinel.builder()
                .downAfter(NEVER_DOWN)
                .settings(settings)
                .start();
        primary = group.primary();
    }

    @Override
    public Topology topology() {
        return Topology.SENTINEL;
    }

    @Override
    public EmbeddedRedis server() {
        return primary;
    }

    @Override
    public String uri(String uri) {
        return URI.create(uri).getPort() == primary.port() ? group.uri() : uri;
    }

    @Override
    public void close() {
        group.close();
    }
}
