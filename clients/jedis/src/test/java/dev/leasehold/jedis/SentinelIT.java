package dev.leasehold.jedis;

import static dev.leasehold.jedis.Calls.LIMIT;
import static dev.leasehold.jedis.Calls.answer;
import static dev.leasehold.jedis.Calls.count;
import static dev.leasehold.jedis.Calls.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.TransportException;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedSentinel;
import dev.leasehold.testkit.WithRedisSentinel;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.SentineledConnectionProvider;

/** The servers of calls and subscriptions when Sentinels name the primary. */
@WithRedisSentinel(downAfterMillis = 3_000)
class SentinelIT {

    private final EmbeddedSentinel redis;

    SentinelIT(EmbeddedSentinel redis) {
        this.redis = redis;
    }

    private static void awaitNode(RedisTransport transport, EmbeddedRedis node) {
        await().atMost(LIMIT).ignoreExceptions().until(() -> {
            List<RedisNode> nodes = answer(transport.describe()).nodes();
            return nodes.equals(List.of(new RedisNode(node.host(), node.port(), true)));
        });
    }

    /** Calls, batches and messages reach this server. */
    private static void leadsTo(RedisTransport transport, EmbeddedRedis node, Queue<String> messages) {
        awaitNode(transport, node);
        await().atMost(LIMIT).ignoreExceptions().until(() -> {
            answer(transport.eval(count("called")));
            answer(transport.evalBatch(List.of(count("batched"))).get(0));
            return node.command("EXISTS", "called", "batched").equals(2L);
        });
        await().atMost(LIMIT).until(() -> {
            node.command("PUBLISH", "news", node.toString());
            return messages.contains(node.toString());
        });
    }

    private void followsAFailOver(RedisTransport transport) {
        Queue<String> messages = new ConcurrentLinkedQueue<>();
        answer(transport.subscribe("news", messages::add));
        leadsTo(transport, redis.primary(), messages);
        leadsTo(transport, redis.failOver(), messages);
    }

    @Test
    void aFailOverIsFollowedThoughASentinelIsFrozenAndAnotherDead() {
        redis.sentinels().get(0).pause();
        try (RedisTransport transport = JedisTransport.create(settings(redis.uri()))) {
            redis.sentinels().get(0).resume();
            redis.sentinels().get(2).kill();
            followsAFailOver(transport);
            assertThat(transport).asString().contains("redis-sentinel://127.0.0.1:");
        }
    }

    @Test
    void aLentClientFollowsAFailOver() {
        Set<HostAndPort> sentinels = redis.sentinels().stream()
                .map(each -> new HostAndPort(each.host(), each.port()))
                .collect(Collectors.toSet());
        JedisClientConfig config = DefaultJedisClientConfig.builder().build();
        GenericObjectPoolConfig<Connection> pool = new GenericObjectPoolConfig<>();
        pool.setMaxWait(Duration.ofSeconds(2));
        try (UnifiedJedis client = new UnifiedJedis(
                        new SentineledConnectionProvider(redis.primaryName(), config, pool, sentinels, config),
                        3,
                        Duration.ofSeconds(5));
                RedisTransport transport = JedisTransport.over(client)) {
            followsAFailOver(transport);
        }
    }

    @Test
    void aFormerPrimaryThatStillTakesWritesIsLeft() {
        EmbeddedRedis former = redis.primary();
        // No sentinel can make it a replica.
        former.command("ACL", "SETUSER", "leasehold-testkit", "-slaveof", "-replicaof");
        try (RedisTransport transport = JedisTransport.create(settings(redis.uri()))) {
            Queue<String> messages = new ConcurrentLinkedQueue<>();
            answer(transport.subscribe("news", messages::add));
            leadsTo(transport, former, messages);
            redis.sentinels().get(0).command("SENTINEL", "FAILOVER", redis.primaryName());
            leadsTo(transport, redis.awaitSuccessor(former), messages);
            assertThat(former.info("replication")).containsEntry("role", "master");
        } finally {
            former.command("ACL", "SETUSER", "leasehold-testkit", "+@all");
        }
    }

    @Test
    void anInterruptedCallerIsAnsweredAlthoughTheSentinelsAreAskedFirst() {
        try (RedisTransport transport = JedisTransport.create(settings(redis.uri()))) {
            Thread.currentThread().interrupt();
            CompletionStage<List<String>> stage = transport.eval(count("interrupted"));
            assertThat(Thread.interrupted()).isTrue();
            assertThat(answer(stage)).containsExactly("1");
        }
    }

    @Test
    void anUnknownPrimaryNameIsReportedAsUnknownToTheSentinels() {
        assertThatThrownBy(() -> JedisTransport.create(settings(redis.uri().replace("mymaster", "yours"))))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("know no primary called yours")
                .hasMessageContaining("sentinelMasterId");
    }
}
