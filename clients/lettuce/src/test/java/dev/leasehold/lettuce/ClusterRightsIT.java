package dev.leasehold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.tck.ClusterMessages;
import dev.leasehold.tck.DocumentedRights;
import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedisCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** In a cluster it takes two rights more, says section 2 of {@code docs/operations.md}: so it is, and no less. */
@WithRedisCluster(primaries = 2)
class ClusterRightsIT {

    private static final String KEY = "leasehold:{x}";

    private final EmbeddedCluster cluster;

    ClusterRightsIT(EmbeddedCluster cluster) {
        this.cluster = cluster;
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

    /** Finds the node of a lock, and takes the lock while its slot migrates. */
    private void use(Duration wait) throws InterruptedException {
        try (Leasehold leasehold = Leasehold.builder()
                .uri(cluster.nodes().get(0).uri("app", "secret"))
                .preflight(Preflight.REFUSE)
                .build()) {
            int slot = cluster.slotOf(KEY);
            EmbeddedRedis from = cluster.nodeOf(slot);
            cluster.beginMigration(slot, cluster.nodes().get(1 - cluster.nodes().indexOf(from)));
            try (Lease lease = leasehold.lock("x").acquire(wait)) {
                assertThat(lease.isHeld()).isTrue();
            } finally {
                cluster.moveKeys(slot);
                cluster.finishMigration(slot);
            }
        }
    }

    @Test
    void suffice() throws Exception {
        grant(additional());
        use(Calls.LIMIT);
    }

    @Test
    void withThoseForChannelsOfShardsWakeUpsStayInTheShard() throws Exception {
        grant(Stream.concat(additional().stream(), Stream.of("+spublish", "+ssubscribe"))
                .toList());
        String uri = cluster.nodes().get(0).uri("app", "secret");
        EmbeddedRedis node = cluster.nodeOf(KEY);
        try (Leasehold holder = Leasehold.connect(uri);
                Leasehold waiter = Leasehold.connect(uri)) {
            CompletionStage<Lease> next;
            long before;
            try (Lease held = holder.lock("x").acquire(Duration.ofSeconds(5))) {
                next = waiter.lock("x").acquireAsync();
                await().atMost(Calls.LIMIT)
                        .until(() -> String.valueOf(node.command("HVALS", KEY)).contains("{"));
                before = ClusterMessages.broadcasts(cluster);
                assertThat(held.isHeld()).isTrue();
            }
            Calls.answer(next).release();
            assertThat(ClusterMessages.broadcasts(cluster)).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @MethodSource("additional")
    void areAllNeeded(String right) {
        grant(additional().stream().filter(each -> !each.equals(right)).toList());
        assertThat(catchThrowable(() -> use(Duration.ofSeconds(1))))
                .as("without " + right)
                .isNotNull();
    }
}
