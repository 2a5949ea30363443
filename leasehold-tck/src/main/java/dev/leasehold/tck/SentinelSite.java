package dev.leasehold.tck;

import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;
import dev.leasehold.testkit.EmbeddedSentinel;
import java.net.URI;
import java.time.Duration;

/**
 * A primary with two replicas and three sentinels, who are asked for it. A client before which stands a proxy connects to
 * that, since sentinels name the primary and never the proxy.
 */
final class SentinelSite implements Site {

    /** Nothing that a contract does to its server may look to the sentinels like its end. */
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
