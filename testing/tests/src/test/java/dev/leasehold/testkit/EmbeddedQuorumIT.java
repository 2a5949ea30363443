package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class EmbeddedQuorumIT {

    private static final String MARKER = "locks:quorum";

    @Test
    void itsServersAreOnTheirOwnWithTheSettingsThatWereGivenAndEndWithItsClose() {
        List<Long> pids;
        try (EmbeddedQuorum redis = EmbeddedQuorum.builder()
                .servers(3)
                .settings(EmbeddedRedis.builder().password("s@cret"))
                .start()) {
            pids = redis.nodes().stream().map(EmbeddedRedis::pid).toList();
            assertThat(pids)
                    .doesNotHaveDuplicates()
                    .hasSize(3)
                    .allMatch(pid -> ProcessHandle.of(pid).isPresent());
            assertThat(redis.uris())
                    .containsExactlyElementsOf(
                            redis.nodes().stream().map(EmbeddedRedis::uri).toList())
                    .allMatch(uri -> uri.contains("s%40cret@"));
            assertThat(redis.nodes())
                    .allMatch(node -> "0".equals(node.info("replication").get("connected_slaves")));
        }
        assertThat(pids).noneMatch(pid -> ProcessHandle.of(pid).isPresent());
    }

    @Test
    void aRunningServerCountsAsIfTheLongestLeaseHadPassed() {
        try (EmbeddedQuorum redis = EmbeddedQuorum.builder().servers(5).start()) {
            EmbeddedRedis known = redis.nodes().get(0);
            EmbeddedRedis unknown = redis.nodes().get(1);
            EmbeddedRedis other = redis.nodes().get(2);
            redis.nodes().get(3).pause();
            redis.nodes().get(4).kill();
            known.command("SET", MARKER, "1 5000 3000 abc");
            other.command("SET", MARKER, "something");
            other.command("HSET", "a:quorum", "no", "string");
            redis.letCount();
            assertThat(known.command("GET", MARKER)).isEqualTo("1 2000 3000 abc");
            assertThat(unknown.command("DBSIZE")).isEqualTo(0L);
            assertThat(other.command("GET", MARKER)).isEqualTo("something");
        }
    }
}
