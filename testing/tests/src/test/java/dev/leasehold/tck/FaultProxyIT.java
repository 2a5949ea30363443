package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisExtension;
import dev.leasehold.testkit.TlsCertificates;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Uses a server without a password: the tests count every request. */
class FaultProxyIT {

    private static final Predicate<String> INCR_B = request -> request.equals("INCR b");

    @RegisterExtension
    static final EmbeddedRedisExtension SERVER =
            EmbeddedRedisExtension.perClass(EmbeddedRedis.builder().withoutPassword());

    private final EmbeddedRedis redis = SERVER.server();
    private FaultProxy proxy;
    private RawConnection client;

    @BeforeEach
    void connect() throws IOException {
        proxy = FaultProxy.before(redis.uri());
        client = new RawConnection(proxy.port());
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        proxy.close();
    }

    @Test
    void passesEverythingOnWhileNothingIsWrong() throws IOException {
        String large = "x".repeat(1_000_000);
        assertThat(client.ask("SET", "large", large)).isEqualTo("+OK\r\n");
        assertThat(client.ask("GET", "large")).hasSize(1_000_012);
        assertThat(client.ask("HELLO", "3")).startsWith("%");
        client.raw("PING\r\nINCR a\r\nINCR a\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(client.reply()).isEqualTo("+PONG\r\n");
        assertThat(client.reply()).isEqualTo(":1\r\n");
        assertThat(client.reply()).isEqualTo(":2\r\n");
    }

    @Test
    void dropsExactlyOneReplyOfAPipeline() throws IOException {
        Fault fault = proxy.matching(INCR_B).dropNextReply();
        for (String key : new String[] {"a", "b", "b", "a"}) {
            client.send("INCR", key);
        }
        assertThat(client.reply()).isEqualTo(":1\r\n");
        assertThat(client.reply()).as("the first INCR b is missing").isEqualTo(":2\r\n");
        assertThat(client.reply()).isEqualTo(":2\r\n");
        assertThat(client.isSilent()).isTrue();
        assertThat(fault.count()).isEqualTo(1);
        assertThat(redis.command("GET", "b")).isEqualTo("2");
    }

    @Test
    void dropsTheRequestedNumberOfReplies() throws IOException {
        Fault fault = proxy.matchingAll().dropReplies(3);
        for (int i = 0; i < 5; i++) {
            client.send("INCR", "a");
        }
        assertThat(client.reply()).isEqualTo(":4\r\n");
        assertThat(client.reply()).isEqualTo(":5\r\n");
        assertThat(fault.count()).isEqualTo(3);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> proxy.matchingAll().dropReplies(0));
    }

    @Test
    void aCancelledFaultDoesNotStrike() throws IOException {
        Fault fault = proxy.dropNextReply();
        fault.cancel();
        assertThat(client.ask("INCR", "a")).isEqualTo(":1\r\n");
        assertThat(fault.count()).isZero();
    }

    @Test
    void aMessageIsNoReply() throws IOException {
        assertThat(client.ask("SUBSCRIBE", "c")).contains("subscribe");
        Fault fault = proxy.dropNextReply();
        redis.command("PUBLISH", "c", "hello");
        assertThat(client.reply()).contains("hello");
        client.send("PING");
        await().until(() -> fault.count() == 1);
        assertThat(client.isSilent()).isTrue();
    }

    @Test
    void dropsAReplyAndResetsTheConnection() throws IOException {
        try (RawConnection other = new RawConnection(proxy.port())) {
            proxy.matching(INCR_B).dropNextReplyThenReset();
            assertThat(other.ask("INCR", "a")).isEqualTo(":1\r\n");
            assertThat(client.ask("INCR", "b")).isEqualTo("reset");
            assertThat(other.ask("GET", "b")).isEqualTo("$1\r\n1\r\n");
        }
    }

    @Test
    void dropsAReplyAndAllThatFollowsOnThatConnection() throws IOException {
        proxy.matching(INCR_B).dropNextReplyThenSilence();
        client.send("INCR", "b");
        client.send("INCR", "a");
        assertThat(client.isSilent()).isTrue();
        try (RawConnection other = new RawConnection(proxy.port())) {
            assertThat(other.ask("MGET", "a", "b")).isEqualTo("*2\r\n$1\r\n1\r\n$1\r\n1\r\n");
        }
        proxy.heal();
        assertThat(client.reply()).isEqualTo("reset");
    }

    @Test
    void resetsTheConnectionInsteadOfPassingARequest() throws IOException {
        proxy.matching(INCR_B).resetAtNextRequest();
        assertThat(client.ask("INCR", "a")).isEqualTo(":1\r\n");
        assertThat(client.ask("INCR", "b")).isEqualTo("reset");
        assertThat(redis.command("GET", "b")).isNull();
    }

    @Test
    void holdsRepliesUntilReleased() throws IOException {
        Fault hold = proxy.matching(INCR_B).holdReplies();
        client.send("INCR", "a");
        client.send("INCR", "b");
        client.send("INCR", "a");
        assertThat(client.reply()).isEqualTo(":1\r\n");
        assertThat(client.isSilent()).as("nothing overtakes the held reply").isTrue();
        await().until(() -> "2".equals(redis.command("GET", "a")));
        assertThat(hold.count()).isEqualTo(1);
        assertThat(proxy.held(Direction.TO_CLIENT)).isEqualTo(1);

        proxy.releaseReplies();

        assertThat(client.reply()).isEqualTo(":1\r\n");
        assertThat(client.reply()).isEqualTo(":2\r\n");
        assertThat(client.ask("INCR", "b")).as("holds no longer").isEqualTo(":2\r\n");
    }

    @Test
    void holdsMessagesTogetherWithAllReplies() throws IOException {
        client.ask("SUBSCRIBE", "c");
        proxy.holdReplies();
        redis.command("PUBLISH", "c", "hello");
        await().until(() -> proxy.held(Direction.TO_CLIENT) == 1);
        proxy.releaseReplies();
        assertThat(client.reply()).contains("hello");
    }

    @Test
    void holdsRequestsUntilReleased() throws IOException {
        proxy.matching(INCR_B).holdRequests();
        client.send("INCR", "b");
        client.send("INCR", "a");
        await().until(() -> proxy.held(Direction.TO_SERVER) == 1);
        assertThat(client.isSilent()).isTrue();
        assertThat(redis.command("MGET", "a", "b")).asString().isEqualTo("[null, null]");

        proxy.releaseRequests();

        assertThat(client.reply()).isEqualTo(":1\r\n");
        assertThat(client.reply()).isEqualTo(":1\r\n");
    }

    /** A held request still arrives after its client has closed, and takes a lock that is not wanted any more. */
    @Test
    void aHeldRequestArrivesEvenIfItsClientHasGone() throws IOException {
        proxy.holdRequests();
        client.send("INCR", "a");
        await().until(() -> proxy.held(Direction.TO_SERVER) == 1);
        client.close();
        await().until(() -> proxy.connectionsOpen() == 0);
        assertThat(redis.command("GET", "a")).isNull();

        proxy.releaseRequests();

        await().until(() -> "1".equals(redis.command("GET", "a")));
    }

    @Test
    void aRequestThatWasDoubledIsExecutedTwiceAndAnsweredOnce() throws IOException {
        Fault fault = proxy.matching(INCR_B).duplicateNextRequest();
        assertThat(client.ask("INCR", "a")).isEqualTo(":1\r\n");
        assertThat(client.ask("INCR", "b")).isEqualTo(":1\r\n");
        assertThat(client.ask("INCR", "b")).isEqualTo(":3\r\n");
        assertThat(client.ask("INCR", "a")).isEqualTo(":2\r\n");
        assertThat(fault.count()).isEqualTo(1);
        assertThat(proxy.requests("INCR")).isEqualTo(4);
    }

    @Test
    void replaysARecordedRequestAfterTheLoginOfItsConnection() throws IOException {
        try (EmbeddedRedis closed = EmbeddedRedis.builder().password("secret").start();
                FaultProxy before = FaultProxy.before(closed.uri() + "/2");
                RawConnection first = new RawConnection(before.port())) {
            assertThat(before.uri()).isEqualTo("redis://:secret@127.0.0.1:" + before.port() + "/2");
            first.ask("AUTH", "secret");
            first.ask("SELECT", "2");
            before.matching(INCR_B).recordNextRequest();
            assertThat(before.replayRecorded()).isEmpty();
            assertThat(first.ask("INCR", "b")).isEqualTo(":1\r\n");
            assertThat(first.ask("INCR", "b")).isEqualTo(":2\r\n");
            first.close();

            assertThat(before.replayRecorded()).containsExactly(":3\r\n");
            assertThat(before.replayRecorded()).containsExactly(":4\r\n");
            before.heal();
            assertThat(before.replayRecorded()).isEmpty();
        }
    }

    @Test
    void swallowsRequestsWhileTheConnectionStaysOpen() throws IOException {
        proxy.swallow(Direction.TO_SERVER);
        client.send("INCR", "a");
        await().until(() -> proxy.requests("INCR") == 0 && proxy.bytes(Direction.TO_SERVER) > 0);
        assertThat(client.isSilent()).isTrue();
        assertThat(redis.command("GET", "a")).isNull();
        assertThat(proxy.connectionsOpen()).isEqualTo(1);

        proxy.heal();

        assertThat(client.reply()).isEqualTo("reset");
    }

    @Test
    void swallowsRepliesWhileRequestsArrive() throws IOException {
        proxy.swallow(Direction.TO_CLIENT);
        client.send("INCR", "a");
        await().until(() -> "1".equals(redis.command("GET", "a")));
        assertThat(client.isSilent()).isTrue();
    }

    @Test
    void swallowsOnNewConnectionsToo() throws IOException {
        proxy.swallow();
        try (RawConnection other = new RawConnection(proxy.port())) {
            other.send("INCR", "a");
            assertThat(other.isSilent()).isTrue();
        }
        proxy.heal();
        try (RawConnection other = new RawConnection(proxy.port())) {
            assertThat(other.ask("INCR", "a")).isEqualTo(":1\r\n");
        }
        assertThat(client.ask("INCR", "a"))
                .as("a connection that lost nothing goes on")
                .isEqualTo(":2\r\n");
    }

    @Test
    void delaysRequests() throws IOException {
        proxy.delay(Direction.TO_SERVER, Duration.ofHours(1));
        client.send("INCR", "a");
        assertThat(client.isSilent()).isTrue();
        assertThat(redis.command("GET", "a")).isNull();
        proxy.heal();
        assertThat(client.reply()).isEqualTo(":1\r\n");
    }

    @Test
    void delaysReplies() throws IOException {
        proxy.delay(Direction.TO_CLIENT, Duration.ofHours(1));
        client.send("INCR", "a");
        await().until(() -> "1".equals(redis.command("GET", "a")));
        assertThat(client.isSilent()).isTrue();
        proxy.heal();
        assertThat(client.reply()).isEqualTo(":1\r\n");
    }

    @Test
    void aDelayIsOverWhenItsTimeIs() throws IOException {
        Duration delay = Duration.ofMillis(300);
        proxy.delay(Direction.TO_CLIENT, delay);
        long start = System.nanoTime();
        assertThat(client.ask("PING")).isEqualTo("+PONG\r\n");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(delay);
        assertThatIllegalArgumentException().isThrownBy(() -> proxy.delay(Direction.TO_CLIENT, Duration.ofNanos(-1)));
    }

    @Test
    void healingLetsGoWhatWasHeld() throws IOException {
        proxy.holdReplies();
        client.send("INCR", "a");
        assertThat(client.isSilent()).isTrue();
        proxy.heal();
        assertThat(client.reply()).isEqualTo(":1\r\n");
        assertThat(client.ask("INCR", "a")).isEqualTo(":2\r\n");
    }

    /**
     * A fault set right after a delayed reply arrived between two selections, and was not seen until more bytes
     * arrived. Many connections make that moment long.
     */
    @Test
    void noFaultIsOverlooked() throws IOException {
        client.ask("PING");
        List<RawConnection> idle = new ArrayList<>();
        try {
            for (int i = 0; i < 200; i++) {
                idle.add(new RawConnection(proxy.port()));
            }
            await().until(() -> proxy.connectionsOpen() == 201);
            for (int i = 0; i < 300; i++) {
                proxy.delay(Direction.TO_CLIENT, Duration.ofMillis(1));
                assertThat(client.ask("PING")).isEqualTo("+PONG\r\n");
            }
        } finally {
            for (RawConnection connection : idle) {
                connection.close();
            }
        }
    }

    @Test
    void keepsNothingOfAConnectionThatHasEnded() throws IOException {
        UnixOperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(UnixOperatingSystemMXBean.class);
        client.ask("PING");
        long before = system.getOpenFileDescriptorCount();
        for (int i = 0; i < 100; i++) {
            try (RawConnection other = new RawConnection(proxy.port())) {
                other.ask("PING");
            }
        }
        await().until(() -> system.getOpenFileDescriptorCount() < before + 50);
        assertThat(client.ask("PING")).isEqualTo("+PONG\r\n");
    }

    @Test
    void resetsAndCutsAllConnections() throws IOException {
        try (RawConnection other = new RawConnection(proxy.port())) {
            client.ask("PING");
            other.ask("PING");
            proxy.reset();
            assertThat(client.reply()).isEqualTo("reset");
            assertThat(other.reply()).isEqualTo("reset");
        }
        try (RawConnection other = new RawConnection(proxy.port())) {
            other.ask("PING");
            proxy.cut();
            assertThat(other.reply()).isEqualTo("end");
        }
        await().until(() -> proxy.connectionsOpen() == 0);
        await().until(() -> redis.info("clients").get("connected_clients").equals("1"));
    }

    @Test
    void refusesConnectionsUntilHealed() throws IOException {
        client.ask("PING");
        proxy.refuse();
        assertThatThrownBy(() -> new RawConnection(proxy.port())).isInstanceOf(ConnectException.class);
        assertThat(client.ask("PING")).as("an open connection goes on").isEqualTo("+PONG\r\n");
        proxy.heal();
        try (RawConnection other = new RawConnection(proxy.port())) {
            assertThat(other.ask("PING")).isEqualTo("+PONG\r\n");
        }
    }

    @Test
    void closesTheClientsConnectionWhenTheServerHasGone() throws IOException {
        client.ask("PING");
        redis.kill();
        assertThat(client.reply()).isIn("end", "reset");
        try (RawConnection other = new RawConnection(proxy.port())) {
            assertThat(other.reply()).isIn("end", "reset");
        }
        redis.restart();
        try (RawConnection other = new RawConnection(proxy.port())) {
            assertThat(other.ask("PING")).isEqualTo("+PONG\r\n");
        }
    }

    @Test
    void countsTheTraffic() throws IOException {
        client.ask("eval", "return 1", "0");
        client.ask("EVAL", "return 2", "0");
        client.ask("PING");
        assertThat(proxy.requestCounts()).isEqualTo(Map.of("EVAL", 2L, "PING", 1L));
        assertThat(proxy.requests("GET")).isZero();
        assertThat(proxy.connectionsOpened()).isEqualTo(1);
        assertThat(proxy.connectionsOpen()).isEqualTo(1);
        assertThat(proxy.bytes(Direction.TO_SERVER)).isEqualTo(2 * 35 + 14);
        assertThat(proxy.bytes(Direction.TO_CLIENT)).isEqualTo(4 + 4 + 7);
        client.close();
        await().until(() -> proxy.connectionsOpen() == 0);
        assertThat(proxy.connectionsOpened()).isEqualTo(1);
        await().until(() -> redis.info("clients").get("connected_clients").equals("1"));
    }

    @Test
    void letsTlsThroughUnreadAndHoldsItOnCommand() throws IOException {
        try (TlsCertificates certificates = TlsCertificates.create();
                EmbeddedRedis secure = EmbeddedRedis.builder()
                        .tls(certificates)
                        .withoutPassword()
                        .start();
                FaultProxy before = FaultProxy.before(secure.uri());
                Socket socket =
                        certificates.clientContext().getSocketFactory().createSocket(before.host(), before.port())) {
            assertThat(before.uri()).startsWith("rediss://");
            socket.setSoTimeout(Math.toIntExact(RawConnection.ANSWER.toMillis()));
            byte[] ping = "PING\r\n".getBytes(StandardCharsets.US_ASCII);
            socket.getOutputStream().write(ping);
            assertThat(socket.getInputStream().readNBytes(7)).asString().isEqualTo("+PONG\r\n");
            assertThat(before.requestCounts()).isEmpty();

            before.holdReplies();
            socket.getOutputStream().write(ping);
            await().until(() -> before.held(Direction.TO_CLIENT) > 0);
            before.releaseReplies();
            assertThat(socket.getInputStream().readNBytes(7)).asString().isEqualTo("+PONG\r\n");

            before.reset();
            assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(IOException.class);
        }
    }

    @Test
    void reportsAPredicateThatFails() throws IOException {
        FaultProxy other = FaultProxy.before(redis.port());
        other.matching(request -> {
                    throw new IllegalArgumentException("broken predicate");
                })
                .holdRequests();
        try (RawConnection connection = new RawConnection(other.port())) {
            assertThat(connection.ask("PING")).isEqualTo("reset");
        }
        assertThatIllegalStateException().isThrownBy(other::close).withStackTraceContaining("broken predicate");
    }

    @Test
    void isOfNoUseOnceClosed() {
        proxy.close();
        proxy.close();
        assertThatIllegalStateException().isThrownBy(proxy::refuse).withMessageContaining("closed");
        assertThatThrownBy(() -> new RawConnection(proxy.port())).isInstanceOf(ConnectException.class);
        assertThat(client.reply()).isEqualTo("reset");
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(20));
    }
}
