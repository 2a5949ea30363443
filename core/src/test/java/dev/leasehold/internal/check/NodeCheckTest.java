package dev.leasehold.internal.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.diagnostics.Finding;
import dev.leasehold.diagnostics.Finding.Level;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeCheckTest {

    private static final String HOST = "10.0.0.7";
    private static final String PRIMARY =
            "redis_version:7.2.4\r\nrole:master\r\nconnected_slaves:0\r\naof_enabled:1\r\n";

    private static Finding finding(List<Finding> findings, String subject) {
        return findings.stream()
                .filter(finding -> finding.subject().equals(subject))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + subject + " in " + findings));
    }

    private static Finding finding(String info, String subject) {
        return finding(new DescribedServer(HOST, info).findings(), subject);
    }

    /** Every key of a lock has an expiry, so policies that spare the others do not spare it. The last is Dragonfly's. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "allkeys-lru",
                "allkeys-lfu",
                "allkeys-lrm",
                "allkeys-random",
                "volatile-lru",
                "volatile-lfu",
                "volatile-lrm",
                "volatile-random",
                "volatile-ttl",
                "eviction"
            })
    void everyPolicyThatEvictsIsReportedAndWithALimitItIsADanger(String policy) {
        String info = PRIMARY + "maxmemory_policy:" + policy + "\r\nmaxmemory:";
        assertThat(finding(info + "0", "maxmemory-policy")).satisfies(warning -> {
            assertThat(warning.level()).isEqualTo(Level.WARNING);
            assertThat(warning.text()).startsWith(policy);
        });
        assertThat(finding(info + "1000000", "maxmemory-policy")).satisfies(danger -> {
            assertThat(danger.level()).isEqualTo(Level.DANGER);
            assertThat(danger.text()).startsWith(policy);
        });
    }

    @Test
    void aServerThatKeepsItsSettingsToItselfIsNotTakenForASafeOne() {
        for (String subject : List.of("maxmemory-policy", "replicas", "persistence")) {
            Finding unknown = finding("redis_version:7.2.4\r\n", subject);
            assertThat(unknown.level()).as(subject).isEqualTo(Level.WARNING);
            assertThat(unknown.text()).as(subject).startsWith("INFO does not ");
        }
    }

    @Test
    void aFailoverOfMemoryDbLosesNoLock() {
        String info = PRIMARY.replace("slaves:0", "slaves:1").replace("aof_enabled:1", "aof_enabled:0");
        List<Finding> memoryDb =
                new DescribedServer("clustercfg.a.b.memorydb.us-east-1.amazonaws.com", info).findings();
        assertThat(finding(memoryDb, "role").level()).isEqualTo(Level.FINE);
        assertThat(finding(memoryDb, "persistence").level()).isEqualTo(Level.FINE);
        List<Finding> redis = new DescribedServer(HOST, info).findings();
        assertThat(finding(redis, "replicas").level()).isEqualTo(Level.WARNING);
        assertThat(finding(redis, "persistence").level()).isEqualTo(Level.WARNING);
    }

    @Test
    void anActiveReplicaOfKeyDbIsNeverSafe() {
        List<Finding> connected = new DescribedServer(
                        HOST,
                        "redis_version:6.3.4\r\nrole:active-replica\r\nmaster_host:10.0.0.8\r\nmaster_port:6379\r\n")
                .findings();
        assertThat(connected)
                .filteredOn(PreflightCheck::neverSafe)
                .singleElement()
                .satisfies(danger -> {
                    assertThat(danger.level()).isEqualTo(Level.DANGER);
                    assertThat(danger.text()).contains("active replica of KeyDB");
                });
        assertThat(connected).extracting(Finding::subject).doesNotContain("role");
    }

    @Test
    void keyDbIsNeverSafeIfItIsConfiguredAsAnActiveReplicaWithoutAPeer() {
        String keyDb = PRIMARY + "executable:/usr/local/bin/keydb-server\r\n";
        for (String setting : List.of("yes", "no")) {
            List<Finding> alone = new DescribedServer(
                            HOST, keyDb, Map.of("CONFIG GET active-replica", List.of("active-replica", setting)))
                    .findings();
            assertThat(alone.stream().anyMatch(PreflightCheck::neverSafe))
                    .as(setting)
                    .isEqualTo(setting.equals("yes"));
        }
        assertThat(new DescribedServer(HOST, keyDb).findings())
                .as("CONFIG is forbidden")
                .noneMatch(PreflightCheck::neverSafe);
    }

    @Test
    void anActiveActiveDatabaseIsNeverSafe() {
        String software = PRIMARY + "rlec_version:7.4.2-54\r\n";
        String modules = "# Modules\r\nmodule:name=search,ver=20609\r\nmodule:name=crdt,ver=10000\r\n";
        assertThat(new DescribedServer(HOST, software, Map.of("INFO modules", modules)).findings())
                .filteredOn(PreflightCheck::neverSafe)
                .singleElement()
                .satisfies(danger -> assertThat(danger.text()).contains("Active-Active"));
        assertThat(new DescribedServer(HOST, software).findings()).noneMatch(PreflightCheck::neverSafe);
    }
}
