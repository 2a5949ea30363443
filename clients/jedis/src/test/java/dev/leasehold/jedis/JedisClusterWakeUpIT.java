package dev.leasehold.jedis;

import static dev.leasehold.jedis.Calls.LIMIT;
import static dev.leasehold.jedis.Calls.answer;
import static dev.leasehold.jedis.Calls.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.tck.ClusterMessages;
import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedisCluster;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Wake-ups in a cluster: over channels of shards as far as these are heard, else over all nodes. */
@WithRedisCluster
class JedisClusterWakeUpIT {

    private static final AtomicInteger NAMES = new AtomicInteger();

    private final EmbeddedCluster cluster;
    private Leasehold holder;
    private Leasehold waiter;

    JedisClusterWakeUpIT(EmbeddedCluster cluster) {
        this.cluster = cluster;
    }

    @BeforeEach
    void connect() {
        holder = Leasehold.connect(cluster.uri());
        waiter = Leasehold.connect(cluster.uri());
    }

    @AfterEach
    void close() {
        waiter.close();
        holder.close();
    }

    private String nameOn(EmbeddedRedis node) {
        return Stream.generate(() -> "wake:" + NAMES.incrementAndGet())
                .filter(name -> cluster.nodeOf(key(name)) == node)
                .findFirst()
                .orElseThrow();
    }

    private static String key(String name) {
        return "leasehold:{" + name + "}";
    }

    private static boolean waitsOnShard(EmbeddedRedis node, String name) {
        return node.command("HVALS", key(name)) instanceof List<?> values
                && values.stream().anyMatch(value -> String.valueOf(value).matches("\\d+:leasehold:w:[^ ]*\\{.*} .*"));
    }

    private static boolean waits(EmbeddedRedis node, String name) {
        return "1".equals(node.command("HGET", key(name), "wn"));
    }

    /** One client holds, the other waits and gets it. */
    private void handOff(String name, Predicate<EmbeddedRedis> waits) {
        Lease held = holder.lock(name).tryAcquire().orElseThrow();
        CompletionStage<Lease> next = waiter.lock(name).acquireAsync();
        await().atMost(LIMIT).until(() -> waits.test(cluster.nodeOf(key(name))));
        held.release();
        answer(next).release();
    }

    @Test
    void aWakeUpGoesToNoOtherNodeWhereTheShardHasChannelsOfItsOwn() {
        for (EmbeddedRedis node : cluster.nodes()) {
            String name = nameOn(node);
            // The first place may be taken before the channel of the shard is heard.
            handOff(name, there -> waits(there, name));
            await().atMost(LIMIT).until(() -> !List.of().equals(node.command("PUBSUB", "SHARDCHANNELS")));
            long before = ClusterMessages.broadcasts(cluster);
            IntStream.range(0, 5).forEach(i -> handOff(name, there -> waitsOnShard(there, name)));
            assertThat(ClusterMessages.broadcasts(cluster)).isEqualTo(before);
        }
    }

    @Test
    void noWaiterIsStrandedWhileSlotsMove() {
        EmbeddedRedis node = cluster.nodes().get(0);
        String name = nameOn(node);
        handOff(name, there -> waits(there, name));
        int ofChannel;
        try (RedisTransport transport = JedisTransport.create(settings(cluster.uri()))) {
            ofChannel = cluster.slotOf("{" + transport.shardOf(key(name)) + "}");
        }
        for (int slot : List.of(ofChannel, cluster.slotOf(key(name)))) {
            for (EmbeddedRedis to :
                    List.of(cluster.nodes().get(1), cluster.nodes().get(2), node)) {
                Lease held = holder.lock(name).tryAcquire().orElseThrow();
                CompletionStage<Lease> next = waiter.lock(name).acquireAsync();
                await().atMost(LIMIT).until(() -> waits(cluster.nodeOf(key(name)), name));
                cluster.migrate(slot, to);
                held.release();
                answer(next).release();
            }
        }
    }
}
