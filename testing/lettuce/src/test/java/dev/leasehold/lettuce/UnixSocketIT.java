package dev.leasehold.lettuce;

import static dev.leasehold.tck.TransportCalls.LIMIT;
import static dev.leasehold.tck.TransportCalls.answer;
import static dev.leasehold.tck.TransportCalls.count;
import static dev.leasehold.tck.TransportCalls.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Credentials;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.diagnostics.Diagnostics;
import dev.leasehold.diagnostics.Finding;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.ManualClock;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A server on this machine that is reached without TCP. */
class UnixSocketIT {

    private static EmbeddedRedis redis;

    @BeforeAll
    static void start() {
        redis = EmbeddedRedis.builder().unixSocket().password("s3cret").start();
    }

    @AfterAll
    static void end() {
        redis.close();
    }

    private static String path() {
        return redis.socketUri().substring(redis.socketUri().lastIndexOf('@') + 1);
    }

    private static long scripts() {
        return redis.commandCounts().getOrDefault("evalsha", 0L);
    }

    @Test
    void twoClientsContendAndOneIsWokenByTheReleaseOfTheOther() throws Exception {
        try (Leasehold one = Leasehold.connect(redis.socketUri());
                // No time passes for it, so it does not poll.
                Leasehold other = Leasehold.builder()
                        .uri(redis.socketUri())
                        .timer(ManualClock.create())
                        .build()) {
            Lease held = one.lock("x").acquire();
            assertThat(other.lock("x").tryAcquire()).isEmpty();
            CompletableFuture<Lease> waiter = other.lock("x").acquireAsync().toCompletableFuture();
            await().atMost(LIMIT)
                    .until(() ->
                            String.valueOf(redis.command("PUBSUB", "CHANNELS")).contains("leasehold:w:"));
            // A waiter that has just subscribed asks once more.
            AtomicLong asked = new AtomicLong();
            await().atMost(LIMIT).during(Duration.ofMillis(300)).until(() -> asked.getAndSet(scripts()) == asked.get());
            held.release();
            Lease next = await().atMost(LIMIT).until(() -> waiter.getNow(null), lease -> lease != null);
            assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
            next.close();
            assertThat(String.valueOf(redis.command("CLIENT", "LIST")).lines())
                    .filteredOn(line -> line.contains("name=leasehold"))
                    .isNotEmpty()
                    .allMatch(line -> line.contains(" addr=" + path() + ":0 "));
            assertThat(Diagnostics.of(one).findings())
                    .noneMatch(finding -> finding.level() == Finding.Level.DANGER)
                    .noneMatch(finding -> finding.text().contains("No answer"));
            assertThat(one.toString()).doesNotContain("s3cret");
        }
    }

    @Test
    void aServerThatComesBackIsConnectedToAgain() {
        try (RedisTransport transport = LettuceTransport.create(settings(redis.socketUri()))) {
            answer(transport.eval(count("a")));
            assertThat(answer(transport.describe()).nodes())
                    .singleElement()
                    .satisfies(node -> assertThat(node).hasToString(path()));
            redis.restart();
            await().atMost(LIMIT)
                    .ignoreExceptions()
                    .until(() -> !answer(transport.eval(count("b"))).isEmpty());
            assertThat(transport.toString())
                    .contains("redis-socket://" + path())
                    .doesNotContain("s3cret");
        }
    }

    @Test
    void aLentClientMayUseASocket() {
        try (RedisClient client = RedisClient.create();
                RedisTransport transport = LettuceTransport.over(client, RedisURI.create(redis.socketUri()))) {
            assertThat(answer(transport.eval(count("c")))).containsExactly("1");
            assertThat(transport.toString()).contains("redis-socket://" + path());
        }
    }

    @Test
    void theCredentialsMayBeSupplied() throws Exception {
        try (Leasehold leasehold = Leasehold.builder()
                .uri("redis-socket://" + path())
                .credentials(() -> new Credentials(null, "s3cret"))
                .build()) {
            leasehold.lock("supplied").acquire().close();
        }
    }

    @Test
    void aWrongPasswordIsRejectedAndNotPrinted() {
        assertThatThrownBy(
                        () -> LettuceTransport.create(settings(redis.socketUri().replace("s3cret", "s3cretwrong")))
                                .close())
                .isInstanceOf(RedisErrorException.class)
                .hasMessageContaining("WRONGPASS")
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void theSocketOfANodeOfAClusterIsRefused() {
        try (EmbeddedCluster cluster = EmbeddedCluster.builder()
                .primaries(1)
                .settings(EmbeddedRedis.builder().unixSocket())
                .start()) {
            String uri = cluster.nodes().get(0).socketUri();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> LettuceTransport.create(settings(uri)).close())
                    .withMessageContaining("node of a Redis Cluster")
                    .withMessageContaining("redis://host:port");
        }
    }

    @Test
    void withoutTheNativeTransportTheRefusalSaysWhatToAdd() throws Exception {
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dio.lettuce.core.epoll=false",
                        "-Dio.lettuce.core.kqueue=false",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Refused.class.getName(),
                        redis.socketUri())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String said = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(said)
                .contains("IllegalStateException", "netty-transport-native-epoll", "redis://host:port", path())
                .doesNotContain("s3cret");
    }

    /** Returns the message of a client that cannot connect. */
    static final class Refused {

        private Refused() {}

        public static void main(String[] args) {
            PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
            try (Leasehold leasehold = Leasehold.connect(args[0])) {
                out.println("connected: " + leasehold);
            } catch (RuntimeException e) {
                out.println(e);
            }
        }
    }
}
