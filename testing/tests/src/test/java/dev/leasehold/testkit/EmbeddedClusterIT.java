package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EmbeddedClusterIT {

    @Test
    void servesKeysOnEveryNodeAndSendsTheOthersElsewhere() throws IOException {
        try (EmbeddedCluster cluster = EmbeddedCluster.start()) {
            assertThat(cluster.nodes()).hasSize(3);
            assertThat(cluster.primaries()).isEqualTo(cluster.nodes());
            assertThat(cluster.uri()).isEqualTo(cluster.uris().get(0));
            Set<EmbeddedRedis> owners = new HashSet<>();
            for (int i = 0; i < 30; i++) {
                String key = "key" + i;
                EmbeddedRedis owner = cluster.nodeOf(key);
                owners.add(owner);
                for (EmbeddedRedis node : cluster.nodes()) {
                    if (node == owner) {
                        assertThat(client(node, "SET", key, "value")).isEqualTo("OK");
                    } else {
                        assertThatThrownBy(() -> client(node, "SET", key, "value"))
                                .hasMessage("MOVED " + cluster.slotOf(key) + " 127.0.0.1:" + owner.port());
                    }
                }
            }
            assertThat(owners).hasSize(3);
        }
    }

    @Test
    void hasItsPortsToItself() {
        try (EmbeddedCluster one = EmbeddedCluster.builder().primaries(1).start();
                EmbeddedCluster two = EmbeddedCluster.builder().primaries(2).start()) {
            Set<Integer> ports = new HashSet<>();
            for (EmbeddedCluster cluster : List.of(one, two)) {
                for (EmbeddedRedis node : cluster.nodes()) {
                    ports.add(node.port());
                    ports.add(node.port() + FreePorts.BUS);
                }
            }
            assertThat(ports).hasSize(6).noneMatch(FreePorts::isFree);
            assertThat(one.nodeOf(0)).isSameAs(one.nodeOf(16_383));
            assertThat(two.nodeOf(0)).isNotSameAs(two.nodeOf(16_383));
        }
    }

    @Test
    void answersAskDuringAMigrationAndMovedAfterIt() throws IOException {
        try (EmbeddedCluster cluster = EmbeddedCluster.builder()
                .primaries(2)
                .settings(EmbeddedRedis.builder().password("secret"))
                .start()) {
            int slot = cluster.slotOf("{tag}");
            EmbeddedRedis from = cluster.nodeOf(slot);
            EmbeddedRedis to = cluster.nodes().get(from == cluster.nodes().get(0) ? 1 : 0);
            for (int i = 0; i < 250; i++) {
                from.command("SET", "{tag}" + i, "value");
            }

            cluster.beginMigration(slot, to);
            assertThat(from.command("GET", "{tag}0")).isEqualTo("value");
            assertThatThrownBy(() -> from.command("GET", "{tag}new"))
                    .hasMessage("ASK " + slot + " 127.0.0.1:" + to.port());
            assertThatThrownBy(() -> cluster.finishMigration(slot))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("250 keys")
                    .hasMessageContaining("moveKeys");
            assertThatThrownBy(() -> cluster.beginMigration(slot, to)).hasMessageContaining("already");
            cluster.moveKeys(slot);
            assertThatThrownBy(() -> from.command("GET", "{tag}0")).hasMessageStartingWith("ASK ");
            assertThatThrownBy(() -> to.command("GET", "{tag}0")).hasMessageStartingWith("MOVED ");
            assertThat(cluster.nodeOf(slot)).isSameAs(from);
            cluster.finishMigration(slot);

            assertThatThrownBy(() -> from.command("GET", "{tag}0"))
                    .hasMessage("MOVED " + slot + " 127.0.0.1:" + to.port());
            assertThat(to.command("GET", "{tag}249")).isEqualTo("value");
            assertThat(cluster.nodeOf("{tag}")).isSameAs(to);
            cluster.migrate(slot, from);
            assertThat(from.command("GET", "{tag}249")).isEqualTo("value");
        }
    }

    @Test
    void saysWhatCannotBeMigrated() {
        try (EmbeddedCluster cluster =
                        EmbeddedCluster.builder().primaries(2).replicas(1).start();
                EmbeddedRedis stranger = EmbeddedRedis.start()) {
            EmbeddedRedis owner = cluster.nodeOf(5);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> cluster.migrate(5, owner))
                    .withMessageContaining("already");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> cluster.migrate(5, stranger))
                    .withMessageContaining("not a node of this cluster");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> cluster.migrate(
                            5, cluster.replicasOf(cluster.nodeOf(16_383)).get(0)))
                    .withMessageContaining("is a replica");
            assertThatThrownBy(() -> cluster.moveKeys(5)).hasMessageContaining("beginMigration(5, node)");
            assertThatThrownBy(() -> cluster.finishMigration(5)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void aStoppedNodeRestartsWithItsSlotsAndTheOthersServeMeanwhileIfConfigured() {
        EmbeddedRedisBuilder partly =
                EmbeddedRedis.builder().appendOnly().config("cluster-require-full-coverage", "no");
        try (EmbeddedCluster cluster =
                EmbeddedCluster.builder().settings(partly).start()) {
            EmbeddedRedis node = cluster.nodeOf("key");
            EmbeddedRedis healthy =
                    cluster.nodes().stream().filter(n -> n != node).findFirst().orElseThrow();
            int port = node.port();
            node.command("SET", "key", "value");

            node.stop();
            assertThat(cluster.nodeOf("key")).isSameAs(node);
            TestLimits.await()
                    .untilAsserted(() -> assertThat(String.valueOf(healthy.command("CLUSTER", "NODES")))
                            .contains("master,fail "));
            assertThat(String.valueOf(healthy.command("CLUSTER", "INFO"))).contains("cluster_state:ok");

            node.restart();
            cluster.awaitHealthy();
            assertThat(node.port()).isEqualTo(port);
            assertThat(node.command("GET", "key")).isEqualTo("value");
        }
    }

    @Test
    void aReplicaHasTheDataAndTakesOver() {
        try (EmbeddedCluster cluster =
                EmbeddedCluster.builder().primaries(2).replicas(1).start()) {
            EmbeddedRedis primary = cluster.nodeOf("key");
            EmbeddedRedis replica = cluster.replicasOf(primary).get(0);
            assertThat(cluster.primaries()).hasSize(2).doesNotContain(replica);
            primary.command("SET", "key", "value");
            assertThat(primary.command("WAIT", "1", "20000")).isEqualTo(1L);

            primary.pause();
            assertThat(cluster.failOver(primary)).isSameAs(replica);
            assertThat(cluster.nodeOf("key")).isSameAs(replica);
            assertThat(replica.command("GET", "key")).isEqualTo("value");

            primary.resume();
            TestLimits.await().until(() -> cluster.replicasOf(replica).contains(primary));
            cluster.awaitHealthy();
            assertThat(cluster.failOver(replica)).isSameAs(primary);
            EmbeddedRedis other = cluster.primaries().stream()
                    .filter(n -> n != primary)
                    .findFirst()
                    .orElseThrow();
            cluster.replicasOf(other).get(0).kill();
            assertThatThrownBy(() -> cluster.failOver(other))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no replica that answers");
        }
    }

    @Test
    void electsAReplicaByTheVotesOfPrimariesThatKnowItForOne() {
        try (EmbeddedCluster cluster =
                EmbeddedCluster.builder().primaries(2).replicas(1).start()) {
            // A primary that still considers the replica a primary, as it was at first, would not vote for it.
            assertThat(cluster.nodes())
                    .allSatisfy(node -> assertThat(ClusterNode.parse(String.valueOf(node.command("CLUSTER", "NODES"))))
                            .filteredOn(ClusterNode::isPrimary)
                            .hasSize(2));
            EmbeddedRedis primary = cluster.nodeOf("key");
            EmbeddedRedis replica = cluster.replicasOf(primary).get(0);
            primary.command("SET", "key", "value");
            assertThat(cluster.elect(primary)).isSameAs(replica);
            assertThat(cluster.nodeOf("key")).isSameAs(replica);
            assertThat(replica.command("GET", "key")).isEqualTo("value");
            cluster.awaitHealthy();
            assertThat(cluster.elect(replica)).isSameAs(primary);
            cluster.replicasOf(primary).get(0).kill();
            assertThatThrownBy(() -> cluster.elect(primary))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no replica that answers");
        }
    }

    @Test
    void speaksTlsToClientsAndBetweenItsNodes() {
        try (TlsCertificates certificates = TlsCertificates.create();
                EmbeddedCluster cluster = EmbeddedCluster.builder()
                        .primaries(2)
                        .replicas(1)
                        .settings(EmbeddedRedis.builder().tls(certificates).password("secret"))
                        .start()) {
            EmbeddedRedis owner = cluster.nodeOf("key");
            EmbeddedRedis other = cluster.primaries().stream()
                    .filter(n -> n != owner)
                    .findFirst()
                    .orElseThrow();
            assertThat(cluster.uris())
                    .allMatch(uri -> URI.create(uri).getScheme().equals("rediss"));
            owner.command("SET", "key", "value");
            cluster.migrate(cluster.slotOf("key"), other);
            assertThat(other.command("GET", "key")).isEqualTo("value");
        }
    }

    @Test
    void isGoneAfterClosingAndSoAreItsFiles() {
        EmbeddedCluster cluster = EmbeddedCluster.builder().primaries(2).start();
        List<Path> files =
                cluster.nodes().stream().map(EmbeddedRedisIT::dataDirectory).toList();
        cluster.close();
        cluster.close();
        assertThat(cluster.nodes())
                .allSatisfy(node -> assertThat(ProcessHandle.of(node.pid())).isEmpty());
        assertThat(files).allSatisfy(path -> assertThat(path.getParent()).doesNotExist());
    }

    @Test
    void reportsWhyANodeDidNotStart() {
        assertThatThrownBy(() -> EmbeddedCluster.builder()
                        .settings(EmbeddedRedis.builder().config("maxmemory", "much"))
                        .start())
                .isInstanceOf(EmbeddedRedisException.class)
                .hasMessageContaining("argument must be a memory value");
    }

    private static Object client(EmbeddedRedis node, String... command) throws IOException {
        try (RespClient client = new RespClient(node.host(), node.port(), TestLimits.ANSWER)) {
            client.command("AUTH", node.password());
            return String.valueOf(client.command(command));
        }
    }
}
