package dev.leasehold.tck;

import static dev.leasehold.tck.TransportCalls.LIMIT;
import static dev.leasehold.tck.TransportCalls.answer;
import static dev.leasehold.tck.TransportCalls.assertFollowsAFailOver;
import static dev.leasehold.tck.TransportCalls.assertLeadsTo;
import static dev.leasehold.tck.TransportCalls.count;
import static dev.leasehold.tck.TransportCalls.openingFailure;
import static dev.leasehold.tck.TransportCalls.settings;
import static dev.leasehold.tck.TransportCalls.subscribed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.TransportException;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedSentinel;
import dev.leasehold.testkit.WithRedisSentinel;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The servers of calls and subscriptions when Sentinels name the primary. */
@WithRedisSentinel(downAfterMillis = 3_000)
@On(value = Topology.SENTINEL, withConnectors = true)
class SentinelTransportContract extends AnyContract {

    private EmbeddedSentinel redis;

    @BeforeEach
    void take(EmbeddedSentinel started) {
        redis = started;
    }

    private RedisTransport open() {
        return way().open(settings(redis.uri()));
    }

    @Test
    void aFailOverIsFollowedThoughASentinelIsFrozenAndAnotherDead() {
        redis.sentinels().get(0).pause();
        try (RedisTransport transport = open()) {
            redis.sentinels().get(0).resume();
            redis.sentinels().get(2).kill();
            assertFollowsAFailOver(transport, redis);
            assertThat(transport).asString().contains("redis-sentinel://127.0.0.1:");
        }
    }

    @Test
    void aFormerPrimaryThatStillTakesWritesIsLeft() {
        EmbeddedRedis former = redis.primary();
        // No sentinel can make it a replica.
        former.command("ACL", "SETUSER", "leasehold-testkit", "-slaveof", "-replicaof");
        try (RedisTransport transport = open()) {
            Queue<String> messages = subscribed(transport, "news");
            assertLeadsTo(transport, former, messages);
            redis.sentinels().get(0).command("SENTINEL", "FAILOVER", redis.primaryName());
            assertLeadsTo(transport, redis.awaitSuccessor(former), messages);
            assertThat(former.info("replication")).containsEntry("role", "master");
        } finally {
            former.command("ACL", "SETUSER", "leasehold-testkit", "+@all");
        }
    }

    @Test
    void aListenerIsNotifiedThatItMayHaveMissedMessages() {
        AtomicInteger resubscriptions = new AtomicInteger();
        try (RedisTransport transport = open()) {
            answer(transport.subscribe("news", new ChannelListener() {
                @Override
                public void message(String message) {}

                @Override
                public void resubscribed() {
                    resubscriptions.incrementAndGet();
                }
            }));
            EmbeddedRedis former = redis.primary();
            former.kill();
            redis.awaitSuccessor(former);
            await().atMost(LIMIT).until(() -> resubscriptions.get() > 0);
        }
    }

    @Test
    void anInterruptedCallerIsAnsweredAlthoughTheSentinelsAreAskedFirst() {
        try (RedisTransport transport = open()) {
            Thread.currentThread().interrupt();
            CompletionStage<List<String>> stage = transport.eval(count("interrupted"));
            assertThat(Thread.interrupted()).isTrue();
            assertThat(answer(stage)).containsExactly("1");
        }
    }

    @Test
    void anUnknownPrimaryNameIsReportedAsUnknownToTheSentinels() {
        String unknown = redis.uri().replace("mymaster", "yours");
        assertThat(openingFailure(() -> way().open(settings(unknown)), TransportException.class))
                .hasMessageContaining("know no primary called yours")
                .hasMessageContaining("sentinelMasterId");
    }
}
