package dev.leasehold.tck;

import static dev.leasehold.tck.TransportCalls.LIMIT;
import static dev.leasehold.tck.TransportCalls.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.ManualClock;
import dev.leasehold.testkit.WithRedisCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** In a cluster it takes two rights more, says section 2 of {@code docs/operations.md}: so it is, and no less. */
@WithRedisCluster(primaries = 2)
@On(Topology.CLUSTER)
class ClusterRightsContract extends AnyContract {

    private static final String KEY = "leasehold:{x}";
    private static final Duration STEP = Duration.ofMillis(100);

    private EmbeddedCluster cluster;

    @BeforeEach
    void take(EmbeddedCluster started) {
        cluster = started;
    }

    static List<String> additional() {
        String paragraph =
                DocumentedRights.document().split("<!-- acl: cluster -->", 2)[1].split("\n\n", 2)[0];
        List<String> rights = Pattern.compile("`(\\+[^`]+)`")
                .matcher(paragraph)
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
        assertThat(rights).isNotEmpty();
        return rights;
    }

    private void grant(List<String> additional) {
        List<String> command = new ArrayList<>(List.of("ACL", "SETUSER", "app", "reset"));
        Stream.of(DocumentedRights.ofLocks(), additional, List.of(">secret")).forEach(command::addAll);
        cluster.nodes().forEach(node -> node.command(command.toArray(String[]::new)));
    }

    private Leasehold connect() {
        return builder().build();
    }

    private LeaseholdBuilder builder() {
        return Leasehold.builder()
                .uri(cluster.nodes().get(0).uri("app", "secret"))
                .preflight(Preflight.REFUSE);
    }

    /** Has one client hand the lock on to another while its slot migrates. */
    private void handOff(String channels, Duration wait) throws InterruptedException {
        try (Leasehold holder = connect();
                Leasehold waiter = connect()) {
            int slot = cluster.slotOf(KEY);
            EmbeddedRedis from = cluster.nodeOf(slot);
            EmbeddedRedis to = cluster.nodes().get(1 - cluster.nodes().indexOf(from));
            cluster.beginMigration(slot, to);
            try {
                Lease held = holder.lock("x").acquire(wait);
                CompletionStage<Lease> next = waiter.lock("x").acquireAsync();
                await().atMost(LIMIT)
                        .until(() -> cluster.nodes().stream()
                                .anyMatch(
                                        node -> !List.of().equals(node.command("PUBSUB", channels, "leasehold:w:*"))));
                held.release();
                answer(next).release();
            } finally {
                cluster.moveKeys(slot);
                cluster.finishMigration(slot);
            }
            assertThat(cluster.nodeOf(slot)).isSameAs(to);
        }
    }

    @Test
    void suffice() throws Exception {
        grant(additional());
        handOff("CHANNELS", LIMIT);
    }

    @Test
    void withThoseForChannelsOfShardsWakeUpsStayInTheShard() throws Exception {
        grant(Stream.concat(additional().stream(), Stream.of("+spublish", "+ssubscribe", "+sunsubscribe"))
                .toList());
        handOff("SHARDCHANNELS", LIMIT);
        EmbeddedRedis node = cluster.nodeOf(KEY);
        ManualClock time = ManualClock.create();
        try (Leasehold holder = connect();
                Leasehold waiter = builder().timer(time).build()) {
            Lease held = holder.lock("x").acquire(LIMIT);
            CompletionStage<Lease> next = waiter.lock("x").acquireAsync();
            // It may ask before the channel is subscribed to, and names the channel when it asks again. From then on no
            // time passes for it, so it does not poll.
            await().atMost(LIMIT).until(() -> {
                time.advance(STEP);
                return String.valueOf(node.command("HVALS", KEY)).contains("{");
            });
            long before = ClusterMessages.broadcasts(cluster);
            held.release();
            answer(next).release();
            assertThat(ClusterMessages.broadcasts(cluster)).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @MethodSource("additional")
    void areAllNeeded(String right) {
        grant(additional().stream().filter(each -> !each.equals(right)).toList());
        assertThat(catchThrowable(() -> handOff("CHANNELS", Duration.ofSeconds(1))))
                .as("without " + right)
                .isNotNull();
    }
}
