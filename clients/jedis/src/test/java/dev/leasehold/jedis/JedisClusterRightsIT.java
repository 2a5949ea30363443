package dev.leasehold.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.tck.DocumentedRights;
import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedisCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rights that section 2 of {@code docs/operations.md} adds for a cluster suffice over Jedis, too. */
@WithRedisCluster(primaries = 2)
class JedisClusterRightsIT {

    private static final String KEY = "leasehold:{x}";

    private final EmbeddedCluster cluster;

    JedisClusterRightsIT(EmbeddedCluster cluster) {
        this.cluster = cluster;
    }

    private String grant(String... additional) throws IOException {
        List<String> command = new ArrayList<>(List.of("ACL", "SETUSER", "app", "reset"));
        Stream.of(DocumentedRights.ofLocks(), List.of(additional), List.of(">secret"))
                .forEach(command::addAll);
        cluster.nodes().forEach(node -> node.command(command.toArray(String[]::new)));
        return cluster.nodes().get(0).uri("app", "secret");
    }

    /** Has one client hand the lock on to another while its slot migrates. */
    private void handOff(String uri, String channel) throws InterruptedException {
        int slot = cluster.slotOf(KEY);
        EmbeddedRedis from = cluster.nodeOf(slot);
        EmbeddedRedis to = cluster.nodes().get(1 - cluster.nodes().indexOf(from));
        try (Leasehold holder = strict(uri);
                Leasehold waiter = strict(uri)) {
            cluster.beginMigration(slot, to);
            Lease held = holder.lock("x").acquire(Duration.ofSeconds(5));
            CompletionStage<Lease> next = waiter.lock("x").acquireAsync();
            await().atMost(Calls.LIMIT)
                    .until(() -> !List.of().equals(to.command("PUBSUB", channel, "leasehold:w:*"))
                            || !List.of().equals(from.command("PUBSUB", channel, "leasehold:w:*")));
            held.release();
            Calls.answer(next).release();
        } finally {
            cluster.moveKeys(slot);
            cluster.finishMigration(slot);
        }
        assertThat(cluster.nodeOf(slot)).isSameAs(to);
    }

    private static Leasehold strict(String uri) {
        return Leasehold.builder().uri(uri).preflight(Preflight.REFUSE).build();
    }

    @Test
    void suffice() throws Exception {
        handOff(grant("+cluster|slots", "+asking"), "CHANNELS");
    }

    @Test
    void withThoseForChannelsOfShardsTheseAreUsed() throws Exception {
        handOff(grant("+cluster|slots", "+asking", "+spublish", "+ssubscribe"), "SHARDCHANNELS");
    }
}
