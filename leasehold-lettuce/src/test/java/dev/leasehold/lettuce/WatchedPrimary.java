package dev.leasehold.lettuce;

import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;
import dev.leasehold.testkit.EmbeddedSentinel;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Runs a contract on a primary with two replicas and three sentinels, who are asked for it. A client before which stands a
 * proxy connects to that, since sentinels name the primary and never the proxy.
 */
final class WatchedPrimary {

    /** Nothing that a contract does to its server may look to the sentinels like its end. */
    private static final Duration NEVER_DOWN = Duration.ofMinutes(5);

    private @Nullable EmbeddedSentinel redis;

    EmbeddedRedis start(EmbeddedRedisBuilder settings) {
        EmbeddedSentinel started = EmbeddedSentinel.builder()
                .downAfter(NEVER_DOWN)
                .settings(settings)
                .start();
        redis = started;
        return started.primary();
    }

    LeaseholdBuilder builder(String uri) {
        return Leasehold.builder().uri(uri(uri));
    }

    String uri(String uri) {
        EmbeddedSentinel started = redis;
        return started != null && URI.create(uri).getPort() == started.primary().port() ? started.uri() : uri;
    }

    void close() {
        if (redis != null) {
            redis.close();
        }
    }
}
