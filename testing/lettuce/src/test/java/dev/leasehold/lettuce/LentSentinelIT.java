package dev.leasehold.lettuce;

import static dev.leasehold.tck.TransportCalls.assertFollowsAFailOver;

import dev.leasehold.spi.RedisTransport;
import dev.leasehold.testkit.EmbeddedSentinel;
import dev.leasehold.testkit.WithRedisSentinel;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Over clients of the application that ask Sentinels for the primary. */
@WithRedisSentinel(downAfterMillis = 3_000)
class LentSentinelIT {

    private final EmbeddedSentinel redis;

    LentSentinelIT(EmbeddedSentinel redis) {
        this.redis = redis;
    }

    @Test
    void aLentClientFollowsAFailOverByItsUri() {
        RedisURI uri = RedisURI.create(redis.uri());
        uri.setTimeout(Duration.ofSeconds(2));
        try (RedisClient client = RedisClient.create();
                RedisTransport transport = LettuceTransport.over(client, uri)) {
            assertFollowsAFailOver(transport, redis);
        }
    }

    @Test
    void aLentClientFollowsAFailOverByItsOwnUri() {
        RedisURI uri = RedisURI.create(redis.uri());
        uri.setTimeout(Duration.ofSeconds(2));
        try (RedisClient client = RedisClient.create(uri);
                RedisTransport transport = LettuceTransport.over(client)) {
            assertFollowsAFailOver(transport, redis);
        }
    }
}
