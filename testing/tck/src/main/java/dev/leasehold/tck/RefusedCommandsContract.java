package dev.leasehold.tck;

import static dev.leasehold.tck.TransportCalls.answer;
import static dev.leasehold.tck.TransportCalls.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.diagnostics.Diagnostics;
import dev.leasehold.diagnostics.Finding;
import dev.leasehold.diagnostics.Finding.Level;
import dev.leasehold.quorum.QuorumLeasehold;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedRedis;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Servers that refuse INFO, as managed services do, or HELLO: locks work, and a quorum does not. */
@On(Topology.STANDALONE)
class RefusedCommandsContract extends AnyContract {

    /** Lets the user run no dangerous command; INFO is one. */
    private static void forbidDangerous(EmbeddedRedis redis) {
        redis.command("ACL", "SETUSER", "app", "on", ">secret", "~*", "&*", "+@all", "-@dangerous", "+cluster");
    }

    private static void locks(Leasehold leasehold) throws InterruptedException {
        try (Lease lease = leasehold.lock("x").acquire()) {
            assertThat(lease.isHeld()).isTrue();
            assertThat(leasehold.lock("x").tryAcquire()).isEmpty();
        }
    }

    /** Returns the finding about rights that the diagnosis reports. */
    private static Finding rights(Leasehold leasehold) {
        return Diagnostics.of(leasehold).findings().stream()
                .filter(finding -> finding.subject().equals("rights") && finding.level() != Level.FINE)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void whereInfoIsForbiddenHelloNamesTheVersion() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            forbidDangerous(redis);
            String uri = redis.uri("app", "secret");
            try (Leasehold leasehold = Leasehold.connect(uri);
                    RedisTransport transport = way().open(settings(uri))) {
                locks(leasehold);
                assertThat(redis.info("server"))
                        .containsValue(answer(transport.describe()).version());
                Finding refused = rights(leasehold);
                assertThat(refused.level()).isEqualTo(Level.WARNING);
                assertThat(refused.text()).contains("INFO was refused: NOPERM", "server, replication, memory");
                assertThat(refused.remedy()).contains("Grant +info");
            }
        }
    }

    /** {@code volatile-lru} is the default of ElastiCache, which forbids CONFIG. */
    @Test
    void thePolicyOfEvictionIsKnownWhereConfigIsForbidden() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.builder()
                .config("maxmemory", "100mb")
                .config("maxmemory-policy", "volatile-lru")
                .start()) {
            redis.command("ACL", "SETUSER", "app", "on", ">secret", "~*", "&*", "+@all", "-config");
            try (Leasehold leasehold = Leasehold.connect(redis.uri("app", "secret"))) {
                locks(leasehold);
                assertThat(Diagnostics.of(leasehold).findings())
                        .filteredOn(finding -> finding.subject().equals("maxmemory-policy"))
                        .singleElement()
                        .satisfies(danger -> {
                            assertThat(danger.level()).isEqualTo(Level.DANGER);
                            assertThat(danger.text()).startsWith("volatile-lru with a memory limit");
                            assertThat(danger.remedy()).contains("noeviction");
                        });
            }
        }
    }

    @Test
    void locksWorkWhereHelloIsRenamedAndInfoForbidden() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.builder()
                .config("rename-command", "HELLO", "")
                .password("open")
                .start()) {
            forbidDangerous(redis);
            for (String user : List.of("default:open", "app:secret")) {
                String[] words = user.split(":", 2);
                try (Leasehold leasehold = Leasehold.connect(redis.uri(words[0], words[1]))) {
                    locks(leasehold);
                }
            }
        }
    }

    @Test
    void aClusterIsRecognisedWhereInfoIsForbidden() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.builder().primaries(2).start()) {
            cluster.nodes().forEach(RefusedCommandsContract::forbidDangerous);
            try (Leasehold leasehold = Leasehold.connect(cluster.nodes().get(0).uri("app", "secret"))) {
                for (int i = 0; i < 20; i++) {
                    try (Lease lease = leasehold.lock("x" + i).acquire()) {
                        assertThat(lease.isHeld()).isTrue();
                    }
                }
            }
        }
    }

    @Test
    void aQuorumNeedsInfo() {
        List<EmbeddedRedis> servers = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                servers.add(EmbeddedRedis.start());
            }
            servers.forEach(RefusedCommandsContract::forbidDangerous);
            String[] uris =
                    servers.stream().map(one -> one.uri("app", "secret")).toArray(String[]::new);
            assertThatThrownBy(() -> QuorumLeasehold.connect(uris))
                    .isInstanceOf(LockUnavailableException.class)
                    .hasMessageContaining("no majority of the 3 servers")
                    .hasMessageContaining("'info'");
        } finally {
            servers.forEach(EmbeddedRedis::close);
        }
    }
}
