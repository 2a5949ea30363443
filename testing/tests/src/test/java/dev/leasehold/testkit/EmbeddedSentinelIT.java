package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@WithRedisSentinel(downAfterMillis = 5_000)
class EmbeddedSentinelIT {

    private final EmbeddedSentinel redis;

    EmbeddedSentinelIT(EmbeddedSentinel redis) {
        this.redis = redis;
    }

    private static Object get(EmbeddedRedis node) {
        return String.valueOf(node.command("GET", "key"));
    }

    private static Object role(EmbeddedRedis node) {
        return String.valueOf(node.info("replication").get("role"));
    }

    @Test
    void writesToThePrimaryReachItsReplicas(EmbeddedSentinel parameter) {
        assertThat(parameter).isSameAs(redis);
        assertThat(redis.nodes()).hasSize(3);
        assertThat(redis.sentinels()).hasSize(3);
        assertThat(redis.replicas()).hasSize(2).doesNotContain(redis.primary());
        assertThat(redis.uri())
                .isEqualTo("redis-sentinel://:" + redis.primary().password()
                        + "@127.0.0.1:%d,127.0.0.1:%d,127.0.0.1:%d/0?sentinelMasterId=mymaster"
                                .formatted(redis.sentinels().stream()
                                        .map(EmbeddedRedis::port)
                                        .toArray()));
        assertThat(redis.sentinels()).extracting(EmbeddedRedis::password).containsOnlyNulls();
        redis.primary().command("SET", "key", "value");
        assertThat(redis.primary().command("WAIT", "2", "10000")).isEqualTo(2L);
        assertThat(redis.replicas())
                .allSatisfy(replica -> assertThat(get(replica)).isEqualTo("value"));
        assertThatThrownBy(() -> redis.replicas().get(0).command("SET", "key", "other"))
                .hasMessageStartingWith("READONLY");
    }

    @Test
    void aRequestedFailoverLosesNoReplicatedWrite() {
        EmbeddedRedis former = redis.primary();
        former.command("SET", "key", "value");
        former.command("WAIT", "2", "10000");
        EmbeddedRedis next = redis.failOver();
        assertThat(next).isNotSameAs(former).isSameAs(redis.primary());
        assertThat(role(next)).isEqualTo("master");
        assertThat(role(former)).isEqualTo("slave");
        assertThat(get(next)).isEqualTo("value");
    }

    @Test
    void aKilledPrimaryIsReplacedAndReturnsAsAReplica() {
        EmbeddedRedis former = redis.primary();
        former.kill();
        EmbeddedRedis next = redis.awaitSuccessor(former);
        next.command("SET", "key", "value");
        former.restart();
        redis.awaitHealthy();
        assertThat(redis.primary()).isSameAs(next);
        assertThat(role(former)).isEqualTo("slave");
        assertThat(get(former)).isEqualTo("value");
    }

    @Test
    void isUsableAgainWhateverWasDoneToItsServersAndSentinels() {
        EmbeddedRedis former = redis.primary();
        former.command("SET", "key", "value");
        former.pause();
        redis.replicas().get(0).kill();
        redis.sentinels().get(0).pause();
        redis.sentinels().get(1).restart();
        redis.sentinels().get(2).kill();
        redis.reset();
        assertThat(redis.nodes())
                .allSatisfy(node -> assertThat(node.command("DBSIZE")).isEqualTo(0L));
    }

    @Nested
    class OfItsOwn {

        @Test
        void hasSentinelsOfTheProgramThatItsServersAre(@TempDir Path directory) throws IOException {
            Path program = Files.createSymbolicLink(directory.resolve("my-server"), RedisBinary.locate());
            try (EmbeddedSentinel other = EmbeddedSentinel.builder()
                    .replicas(1)
                    .sentinels(1)
                    .settings(EmbeddedRedis.builder().executable(program))
                    .start()) {
                assertThat(Stream.concat(other.nodes().stream(), other.sentinels().stream()))
                        .hasSize(3)
                        .allSatisfy(server ->
                                assertThat(server.info("server")).containsEntry("executable", program.toString()));
            }
        }

        @Test
        void hasTheNameAndTheSettingsThatWereGivenAndEndsWithItsClose(EmbeddedSentinel outer) {
            assertThat(outer).isSameAs(redis);
            List<Long> pids;
            try (EmbeddedSentinel other = EmbeddedSentinel.builder()
                    .primaryName("locks")
                    .replicas(1)
                    .sentinels(1)
                    .downAfter(Duration.ofSeconds(5))
                    .settings(EmbeddedRedis.builder().password("s@cret"))
                    .start()) {
                pids = Stream.concat(other.nodes().stream(), other.sentinels().stream())
                        .map(EmbeddedRedis::pid)
                        .toList();
                assertThat(other.uri())
                        .startsWith("redis-sentinel://:s%40cret@")
                        .endsWith("/0?sentinelMasterId=locks");
                assertThat(pids)
                        .hasSize(3)
                        .allMatch(pid -> ProcessHandle.of(pid).isPresent());
            }
            assertThat(pids).noneMatch(pid -> ProcessHandle.of(pid).isPresent());
        }

        @Test
        void usesTlsRequiresTheSentinelPasswordAndFailsOver() {
            try (TlsCertificates certificates = TlsCertificates.create();
                    EmbeddedSentinel other = EmbeddedSentinel.builder()
                            .replicas(1)
                            .settings(EmbeddedRedis.builder().tls(certificates).password("s@cret"))
                            .sentinelPassword("w@tch")
                            .start()) {
                assertThat(other.uri())
                        .startsWith("rediss-sentinel://:s%40cret@")
                        .endsWith("/0?sentinelMasterId=mymaster&sentinelPassword=w%40tch");
                EmbeddedRedis former = other.primary();
                assertThat(other.failOver()).isNotEqualTo(former);
            }
        }
    }
}
