package dev.leasehold.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.cli.CliProcess;
import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedSentinel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests of {@code doctor} on several servers. {@code InspectionIT} tests it on a single one. */
class DoctorIT {

    private static final int SERVERS = 5;

    private static CliResult doctor(String... uris) {
        List<String> args = new ArrayList<>(List.of("doctor"));
        for (String uri : uris) {
            args.addAll(List.of("--redis", uri));
        }
        return CliResult.of(args.toArray(String[]::new));
    }

    @Test
    void checksSentinelsAndReplicas() {
        try (EmbeddedSentinel redis =
                EmbeddedSentinel.builder().sentinelPassword("w@tch").start()) {
            CliResult sound = doctor(redis.uri());
            assertThat(sound.exitCode()).as(sound.out() + sound.err()).isZero();
            assertThat(sound.out())
                    .contains(
                            "fine     sentinels: All 3 sentinels of the URI name " + node(redis.primary()),
                            "WARNING  replicas: Primary with 2 replicas: a failover",
                            "fine     clocks: The clocks of the 3 servers agree within",
                            "fine     features: In use: scripts by EVALSHA, wake-ups by PUBLISH, "
                                    + "news of lost locks (CLIENT TRACKING), WAIT for replicas(...)",
                            "fine     maxmemory-policy: ",
                            "fine     atomicity: Scripts are atomic.")
                    .doesNotContain("WARNING  replica:", "WARNING  sentinel", "w@tch", "w%40tch");

            EmbeddedRedis replica = redis.replicas().get(0);
            replica.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
            EmbeddedRedis dead = redis.sentinels().get(2);
            dead.kill();
            CliResult troubled = doctor(redis.uri());
            assertThat(troubled.exitCode()).isZero();
            assertThat(troubled.out())
                    .contains(
                            "WARNING  replica: The replica " + node(replica) + " has maxmemory-policy allkeys-lru",
                            "WARNING  sentinel: " + node(dead) + ": No answer")
                    .doesNotContain("All 3 sentinels");

            // The URI names only the first two sentinels.
            CliResult partly = doctor(redis.uri().replace("," + node(dead), ""));
            assertThat(partly.out()).contains("WARNING  sentinels: The URI names 2 of 3 sentinels");
        }
    }

    @Test
    void checksAllNodesOfAClusterAndItsSlots() {
        try (EmbeddedCluster cluster = EmbeddedCluster.builder().replicas(1).start()) {
            awaitReplicas(cluster);
            CliResult sound = doctor(cluster.uri());
            assertThat(sound.exitCode()).as(sound.out() + sound.err()).isZero();
            assertThat(sound.out())
                    .contains(
                            "fine     cluster: All 16384 slots are served by 3 primaries with 3 replicas",
                            "fine     clocks: The clocks of the 6 servers agree within",
                            "wake-ups over channels of shards (SPUBLISH)",
                            "fine     rights: ",
                            "fine     atomicity: Scripts are atomic.");

            EmbeddedRedis primary = cluster.nodeOf(7);
            EmbeddedRedis replica = cluster.replicasOf(primary).get(0);
            replica.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
            primary.command("CLUSTER", "DELSLOTS", "7");
            CliResult torn = doctor(cluster.uri());
            assertThat(torn.exitCode()).isEqualTo(1);
            assertThat(torn.out())
                    .contains(
                            "According to " + node(primary) + ", 1 of 16384 slots have no primary, the first is 7:",
                            node(primary) + " reports cluster_state:fail",
                            "WARNING  replica: The replica " + node(replica) + " has maxmemory-policy allkeys-lru",
                            "Locks may be lost here.")
                    .doesNotContain("All 16384 slots");
        }
    }

    /** Waits until every node lists all replicas, which a cluster does after the first write. */
    private static void awaitReplicas(EmbeddedCluster cluster) {
        cluster.primaries().forEach(EmbeddedRedis::flush);
        await().atMost(CliProcess.LIMIT)
                .until(() -> cluster.primaries().stream()
                        .allMatch(seen -> cluster.nodes().stream()
                                .allMatch(node -> String.valueOf(seen.command("CLUSTER", "SLOTS"))
                                        .contains(", " + node.port() + ", "))));
    }

    /** Of which the others go on serving when they consider one failed. */
    private static EmbeddedCluster threePrimaries() {
        return EmbeddedCluster.builder()
                .primaries(3)
                .settings(EmbeddedRedis.builder().config("cluster-require-full-coverage", "no"))
                .start();
    }

    @Test
    void aFrozenPrimaryWithoutReplicaIsADanger() {
        try (EmbeddedCluster cluster = threePrimaries()) {
            EmbeddedRedis frozen = cluster.primaries().get(2);
            frozen.pause();
            CliResult torn = doctor(cluster.uri());
            assertThat(torn.exitCode()).as(torn.out() + torn.err()).isEqualTo(1);
            assertThat(torn.out())
                    .contains(
                            "DANGER   cluster: The primary " + node(frozen) + " does not answer and has no replica",
                            "Locks may be lost here.")
                    .doesNotContain("All 16384 slots");
        }
    }

    /** The list is that of the other primaries. */
    @Test
    void lsListsWhatOtherPrimariesHaveAndNamesTheSilentOne() throws Exception {
        try (EmbeddedCluster cluster = threePrimaries();
                Leasehold leasehold = Leasehold.connect(cluster.uri())) {
            EmbeddedRedis frozen = cluster.primaries().get(2);
            List<String> listed = new ArrayList<>();
            for (int i = 0; i < 9; i++) {
                Lease held = leasehold.lock("lock-" + i).acquire();
                assertThat(held.isHeld()).isTrue();
                if (cluster.nodeOf("leasehold:{lock-" + i + "}") != frozen) {
                    listed.add("lock-" + i);
                }
            }
            frozen.pause();
            CliResult partial = CliResult.of("ls", "--redis", cluster.uri());
            frozen.resume();
            assertThat(partial.exitCode()).as(partial.out() + partial.err()).isEqualTo(69);
            assertThat(partial.out()).as(partial.err()).contains(listed);
            assertThat(partial.err()).contains("no answer from " + node(frozen));
        }
    }

    @Test
    void checksWhetherTheServersOfAQuorumAnswerAndCount() {
        List<EmbeddedRedis> servers = new ArrayList<>();
        try {
            for (int i = 0; i < SERVERS; i++) {
                servers.add(EmbeddedRedis.start());
            }
            String[] uris = servers.stream().map(EmbeddedRedis::uri).toArray(String[]::new);
            CliResult first = doctor(uris);
            assertThat(first.exitCode()).as(first.out() + first.err()).isEqualTo(1);
            assertThat(first.out())
                    .startsWith(servers.stream()
                                    .map(each -> "redis://" + node(each))
                                    .collect(Collectors.joining(", ")) + "\n")
                    .contains(
                            "DANGER   markers: 0 of 5 servers count, and 3 are needed",
                            node(servers.get(4)) + " for ",
                            "No lock can be taken until then.",
                            "fine     quorum: 5 of 5 servers answer, and 3 are needed: the quorum can spare 2.",
                            "WARNING  quorum: 5 of the 5 servers are on one host (127.0.0.1)");

            servers.forEach(DoctorIT::letCount);
            CliResult counted = doctor(uris);
            assertThat(counted.exitCode()).as(counted.out() + counted.err()).isZero();
            assertThat(counted.out())
                    .contains(
                            "fine     markers: All 5 servers that answer count",
                            "fine     clocks: The clocks of the 5 servers agree within");

            servers.get(0).kill();
            servers.get(1).restartEmpty();
            CliResult fewer = doctor(uris);
            assertThat(fewer.exitCode()).as(fewer.out() + fewer.err()).isZero();
            assertThat(fewer.out())
                    .contains(
                            "WARNING  quorum: 4 of 5 servers answer, and 3 are needed: the quorum can spare only 1",
                            "WARNING  markers: 3 of 5 servers count",
                            "do not count yet: redis://" + node(servers.get(1)) + " for ",
                            "WARNING  node: redis://" + node(servers.get(0)) + ": No answer");
        } finally {
            servers.forEach(EmbeddedRedis::close);
        }
    }

    @Test
    void refusesAQuorumThatHasAServerTwice() {
        try (EmbeddedRedis one = EmbeddedRedis.start();
                EmbeddedRedis two = EmbeddedRedis.start()) {
            CliResult refused = doctor(one.uri(), two.uri(), one.uri().replace("127.0.0.1", "localhost"));
            assertThat(refused.exitCode()).isEqualTo(64);
            assertThat(refused.err()).contains("is the same server as");
        }
    }

    @Test
    void saysWhetherWakeUpsAreRefusedAndDoesNotCountThemAsInUse() {
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            for (String command : List.of("publish", "subscribe")) {
                redis.command("ACL", "SETUSER", "app", "reset", "on", ">secret", "~*", "&*", "+@all", "-" + command);
                CliResult refused = doctor(redis.uri("app", "secret"));
                assertThat(refused.exitCode()).as(refused.out() + refused.err()).isZero();
                assertThat(refused.out())
                        .contains(
                                "WARNING  wake-ups: Redis refuses wake-ups (" + command.toUpperCase(Locale.ROOT)
                                        + "): NOPERM",
                                "Not available: wake-ups, so that waiters poll")
                        .doesNotContain("wake-ups by PUBLISH");
            }
        }
    }

    /** HGET and HDEL of a list take time with each of its fields, and HSCAN returns all of them. */
    @Test
    void namesAServerThatKeepsLargeHashesAsLists() {
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            redis.command("CONFIG", "SET", "hash-max-listpack-entries", "4000");
            assertThat(doctor(redis.uri()).out()).doesNotContain("hash-max-listpack-entries");
            redis.command("CONFIG", "SET", "hash-max-listpack-entries", "100000");
            assertThat(doctor(redis.uri()).out())
                    .contains(
                            "WARNING  hash-max-listpack-entries: Redis keeps hashes of up to 100000 fields as a list",
                            "Set hash-max-listpack-entries to its default, or to 512 at most.");
            redis.command("ACL", "SETUSER", "app", "on", ">pw", "~*", "&*", "+@all", "-config");
            CliResult without = doctor(redis.uri("app", "pw"));
            assertThat(without.exitCode()).isZero();
            assertThat(without.out()).doesNotContain("hash-max-listpack-entries");
        }
    }

    @Test
    void aServerThatDoesNotAnswerIsNamed() {
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            redis.command("CLIENT", "PAUSE", "60000", "WRITE");
            CliResult unanswered = CliResult.of("show", "--redis", redis.uri(), "x");
            assertThat(unanswered.exitCode())
                    .as(unanswered.out() + unanswered.err())
                    .isEqualTo(69);
            assertThat(unanswered.err()).containsOnlyOnce("redis://" + node(redis));
        }
    }

    /** Dates the marker of a server back by the longest lease, after which a new server counts. */
    private static void letCount(EmbeddedRedis server) {
        String[] words = Objects.requireNonNull(server.command("GET", "leasehold:quorum"))
                .toString()
                .split(" ", -1);
        words[1] = String.valueOf(Long.parseLong(words[1]) - Long.parseLong(words[2]));
        server.command("SET", "leasehold:quorum", String.join(" ", words));
    }

    private static String node(EmbeddedRedis server) {
        return server.host() + ":" + server.port();
    }
}
