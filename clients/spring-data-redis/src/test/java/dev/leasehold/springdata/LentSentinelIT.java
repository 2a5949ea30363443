package dev.leasehold.springdata;

import static dev.leasehold.tck.TransportCalls.LIMIT;
import static dev.leasehold.tck.TransportCalls.assertFollowsAFailOver;
import static org.awaitility.Awaitility.await;

import dev.leasehold.spi.RedisTransport;
import dev.leasehold.testkit.EmbeddedSentinel;
import dev.leasehold.testkit.WithRedisSentinel;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The servers of calls and subscriptions if the application's factory uses Sentinels, which name the primary. */
@WithRedisSentinel(downAfterMillis = 1_000)
@Isolated("it waits until a transport has no thread left")
class LentSentinelIT {

    private final EmbeddedSentinel redis;

    LentSentinelIT(EmbeddedSentinel redis) {
        this.redis = redis;
    }

    private RedisSentinelConfiguration sentinels() {
        RedisSentinelConfiguration sentinels = new RedisSentinelConfiguration().master(redis.primaryName());
        redis.sentinels().forEach(each -> sentinels.sentinel(each.host(), each.port()));
        sentinels.setPassword(redis.primary().password());
        return sentinels;
    }

    @Test
    void aFactoryOfLettuceFollowsAFailOver() {
        LettuceConnectionFactory factory = new LettuceConnectionFactory(
                sentinels(),
                LettuceClientConfiguration.builder()
                        .clientResources(LentFactories.THREADS)
                        .build());
        factory.afterPropertiesSet();
        factory.start();
        followsAFailOver(factory);
    }

    @Test
    void aFactoryOfJedisFollowsAFailOver() {
        JedisConnectionFactory factory = new JedisConnectionFactory(sentinels());
        factory.afterPropertiesSet();
        factory.start();
        followsAFailOver(factory);
    }

    private <F extends RedisConnectionFactory & DisposableBean> void followsAFailOver(F factory) {
        Set<Thread> before = LentFactories.threadsOfTransports();
        try (RedisTransport transport = SpringDataTransport.over(factory)) {
            assertFollowsAFailOver(transport, redis);
        } finally {
            LentFactories.end(factory);
        }
        await().atMost(LIMIT).until(() -> before.containsAll(LentFactories.threadsOfTransports()));
    }
}
