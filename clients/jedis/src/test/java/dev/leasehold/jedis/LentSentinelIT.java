package dev.leasehold.jedis;

import static dev.leasehold.tck.TransportCalls.assertFollowsAFailOver;

import dev.leasehold.spi.RedisTransport;
import dev.leasehold.testkit.EmbeddedSentinel;
import dev.leasehold.testkit.WithRedisSentinel;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.SentineledConnectionProvider;

/** Over a client of the application that asks Sentinels for the primary. */
@WithRedisSentinel(downAfterMillis = 3_000)
class LentSentinelIT {

    private final EmbeddedSentinel redis;

    LentSentinelIT(EmbeddedSentinel redis) {
        this.redis = redis;
    }

    @Test
    void aLentClientFollowsAFailOver() {
        Set<HostAndPort> sentinels = redis.sentinels().stream()
                .map(each -> new HostAndPort(each.host(), each.port()))
                .collect(Collectors.toSet());
        JedisClientConfig ofServers = DefaultJedisClientConfig.builder()
                .password(redis.primary().password())
                .build();
        JedisClientConfig ofSentinels = DefaultJedisClientConfig.builder().build();
        GenericObjectPoolConfig<Connection> pool = new GenericObjectPoolConfig<>();
        pool.setMaxWait(Duration.ofSeconds(2));
        try (UnifiedJedis client = new UnifiedJedis(
                        new SentineledConnectionProvider(redis.primaryName(), ofServers, pool, sentinels, ofSentinels),
                        3,
                        Duration.ofSeconds(5));
                RedisTransport transport = JedisTransport.over(client)) {
            assertFollowsAFailOver(transport, redis);
        }
    }
}
