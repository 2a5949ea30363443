package dev.leasehold.internal.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.inspect.Finding;
import dev.leasehold.inspect.Finding.Level;
import java.util.List;
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
}
