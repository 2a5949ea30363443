package dev.leasehold.lettuce;

import static dev.leasehold.lettuce.Calls.LIMIT;
import static dev.leasehold.lettuce.Calls.answer;
import static dev.leasehold.lettuce.Calls.count;
import static dev.leasehold.lettuce.Calls.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.TransportException;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedSentinel;
import dev.leasehold.testkit.WithRedisSentinel;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

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
            return answer(transport.evalBatch(List.of(count("batched"))).get(0)) != null;
        });
        assertThat(node.command("EXISTS", "called", "batched")).isEqualTo(2L);
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
        try (RedisTransport transport = LettuceTransport.create(settings(redis.uri()))) {
            redis.sentinels().get(0).resume();
            redis.sentinels().get(2).kill();
            followsAFailOver(transport);
            assertThat(transport).asString().contains("redis-sentinel://127.0.0.1:");
        }
    }

    @Test
    void aLentClientFollowsAFailOverByItsUri() {
        RedisURI uri = RedisURI.create(redis.uri());
        uri.setTimeout(Duration.ofSeconds(2));
        try (RedisClient client = RedisClient.create();
                RedisTransport transport = LettuceTransport.over(client, uri)) {
            followsAFailOver(transport);
        }
    }

    @Test
    void aLentClientFollowsAFailOverByItsOwnUri() {
        RedisURI uri = RedisURI.create(redis.uri());
        uri.setTimeout(Duration.ofSeconds(2));
        try (RedisClient client = RedisClient.create(uri);
                RedisTransport transport = LettuceTransport.over(client)) {
            followsAFailOver(transport);
        }
    }

    @Test
    void aServerThatRefusesWritesIsLeftEvenWithoutANotification() {
        try (EmbeddedRedis other = EmbeddedRedis.start();
                RedisTransport transport = LettuceTransport.create(settings(other.uri()))) {
            answer(transport.eval(count("called")));
            Object before = other.info("stats").get("total_connections_received");
            other.command("REPLICAOF", "127.0.0.1", "1");
            assertThatThrownBy(() -> answer(transport.eval(count("called"))))
                    .hasRootCauseInstanceOf(RedisErrorException.class)
                    .hasStackTraceContaining("READONLY");
            other.command("REPLICAOF", "NO", "ONE");
            assertThat(answer(transport.eval(count("called")))).containsExactly("2");
            assertThat(other.info("stats").get("total_connections_received")).isNotEqualTo(before);
        }
    }

    @Test
    void aFormerPrimaryThatStillTakesWritesIsLeft() {
        EmbeddedRedis former = redis.primary();
        // No sentinel can make it a replica.
        former.command("ACL", "SETUSER", "leasehold-testkit", "-slaveof", "-replicaof");
        try (RedisTransport transport = LettuceTransport.create(settings(redis.uri()))) {
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
    void anUnknownPrimaryNameIsReportedAsUnknownToTheSentinels() {
        assertThatThrownBy(() -> LettuceTransport.create(settings(redis.uri().replace("mymaster", "yours"))))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("know no primary called yours")
                .hasMessageContaining("sentinelMasterId");
    }

    @Test
    void aListenerHearsThatItMayHaveMissedMessages() {
        Queue<String> heard = new ConcurrentLinkedQueue<>();
        try (RedisTransport transport = LettuceTransport.create(settings(redis.uri()))) {
            answer(transport.subscribe("news", new ChannelListener() {
                @Override
                public void message(String message) {}

                @Override
                public void resubscribed() {
                    heard.add("again");
                }
            }));
            EmbeddedRedis former = redis.primary();
            former.kill();
            redis.awaitSuccessor(former);
            await().atMost(LIMIT).until(() -> !heard.isEmpty());
        }
    }
}
