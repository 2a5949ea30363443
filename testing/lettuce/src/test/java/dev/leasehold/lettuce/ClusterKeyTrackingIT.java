package dev.leasehold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedisCluster;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each primary of a cluster tells of changes of the locks that it has, also of those that have moved to it. */
@WithRedisCluster
class ClusterKeyTrackingIT {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final EmbeddedCluster cluster;

    ClusterKeyTrackingIT(EmbeddedCluster cluster) {
        this.cluster = cluster;
    }

    private Leasehold connect() {
        return Leasehold.builder()
                .uri(cluster.uri())
                .defaults(LockOptions.builder().leaseTime(Duration.ofHours(3)).build())
                .build();
    }

    private static String key(String name) {
        return "leasehold:{" + name + "}";
    }

    private static void awaitTracked(EmbeddedRedis node) {
        await().atMost(LIMIT)
                .until(() -> !node.info("stats").get("tracking_total_keys").equals("0"));
    }

    @Test
    void aLossOnEachPrimaryIsReported() throws Exception {
        try (Leasehold leasehold = connect()) {
            Map<EmbeddedRedis, String> names = new LinkedHashMap<>();
            for (int n = 0; names.size() < cluster.primaries().size(); n++) {
                names.putIfAbsent(cluster.nodeOf(key("lock-" + n)), "lock-" + n);
            }
            for (Map.Entry<EmbeddedRedis, String> each : names.entrySet()) {
                Lease lease = leasehold.lock(each.getValue()).acquire();
                awaitTracked(each.getKey());
                each.getKey().command("DEL", key(each.getValue()));
                await().atMost(LIMIT).until(() -> !lease.isHeld());
            }
        }
    }

    @Test
    void aLockThatHasMovedIsTrackedByItsNewPrimary() throws Exception {
        try (Leasehold leasehold = connect()) {
            Lease lease = leasehold.lock("moves").acquire();
            EmbeddedRedis from = cluster.nodeOf(key("moves"));
            awaitTracked(from);
            EmbeddedRedis to = cluster.primaries().stream()
                    .filter(node -> node != from)
                    .findFirst()
                    .orElseThrow();
            cluster.migrate(cluster.slotOf(key("moves")), to);
            awaitTracked(to);
            assertThat(lease.isHeld()).isTrue();
            to.command("DEL", key("moves"));
            await().atMost(LIMIT).until(() -> !lease.isHeld());
        }
    }
}
