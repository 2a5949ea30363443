package dev.leasehold.tck;

import static dev.leasehold.tck.TransportCalls.CLIENT_NAME;
import static dev.leasehold.tck.TransportCalls.LIMIT;
import static dev.leasehold.tck.TransportCalls.answer;
import static dev.leasehold.tck.TransportCalls.count;
import static dev.leasehold.tck.TransportCalls.failure;
import static dev.leasehold.tck.TransportCalls.openingFailure;
import static dev.leasehold.tck.TransportCalls.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.leasehold.internal.redis.server.DirectRoute;
import dev.leasehold.spi.ConnectionPurpose;
import dev.leasehold.spi.PushListener;
import dev.leasehold.spi.RedisAddress;
import dev.leasehold.spi.RedisCommand;
import dev.leasehold.spi.RedisConnection;
import dev.leasehold.spi.RedisConnector;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.RedisTransportProvider;
import dev.leasehold.spi.TransportException;
import dev.leasehold.testkit.EmbeddedRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

/** The promises of a {@link RedisConnector} and its connections, which all else relies on. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@On(value = Topology.STANDALONE, withConnectors = true)
class ConnectorContract extends AnyContract {

    private static final long LIMIT_NANOS = LIMIT.toNanos();

    private EmbeddedRedis server;
    private final List<RedisConnector> connectors = new ArrayList<>();
    private Received received;
    private FaultProxy proxy;

    @BeforeParameterizedClassInvocation
    void startServer() {
        server = EmbeddedRedis.start();
    }

    @BeforeEach
    void openProxy() {
        received = new Received();
        proxy = FaultProxy.before(server.uri());
    }

    @AfterEach
    void closeAll() {
        connectors.forEach(RedisConnector::close);
        connectors.clear();
        proxy.close();
        server.flush();
    }

    @AfterParameterizedClassInvocation
    void stopServer() {
        server.close();
    }

    private RedisConnection connect(String uri, ConnectionPurpose purpose) {
        RedisConnector connector = way().connector(settings(uri));
        connectors.add(connector);
        RedisAddress seed = connector.info().seeds().get(0);
        return answer(DirectRoute.toServer(connector, seed).connect(purpose, received, LIMIT_NANOS));
    }

    private RedisConnection connect() {
        return connect(proxy.uri(), ConnectionPurpose.COMMANDS);
    }

    /** A command that keeps its outcome. */
    private static final class Kept extends CompletableFuture<@Nullable Object> implements RedisCommand {
        private final Consumer<@Nullable Object> onAnswer;
        private final List<String> words;
        private final AtomicInteger outcomes = new AtomicInteger();

        Kept(String... words) {
            this(reply -> {}, words);
        }

        /**
         * Creates a command.
         *
         * @param onAnswer called before this is complete: a stage that depends on it may run later, on the thread that waits for it
         */
        Kept(Consumer<@Nullable Object> onAnswer, String... words) {
            this.onAnswer = onAnswer;
            this.words = List.of(words);
        }

        @Override
        public List<String> words() {
            return words;
        }

        @Override
        public void answered(@Nullable Object reply) {
            outcomes.incrementAndGet();
            onAnswer.accept(reply);
            complete(reply);
        }

        @Override
        public void failed(RuntimeException failure) {
            outcomes.incrementAndGet();
            completeExceptionally(failure);
        }
    }

    /** What a connection has received unasked. */
    private static final class Received implements PushListener {
        private final Queue<String> messages = new ConcurrentLinkedQueue<>();
        private final Queue<String> unsubscribed = new ConcurrentLinkedQueue<>();
        private final AtomicInteger ends = new AtomicInteger();

        @Override
        public void message(String channel, String message) {
            messages.add(channel + ": " + message);
        }

        @Override
        public void unsubscribed(String channel) {
            unsubscribed.add(channel);
        }

        @Override
        public void closed(String cause) {
            ends.incrementAndGet();
        }
    }

    /** Clients write the names of commands in capitals or not. */
    private static boolean isIncrement(String request) {
        return request.regionMatches(true, 0, "INCR", 0, 4);
    }

    private static Kept send(RedisConnection connection, String... words) {
        Kept command = new Kept(words);
        connection.send(List.of(command), LIMIT_NANOS);
        return command;
    }

    @Test
    void itsProviderIsFoundByTheSchemesOfRedis() {
        RedisTransportProvider provider =
                ServiceLoader.load(RedisTransportProvider.class).findFirst().orElseThrow();
        assertThat(List.of("redis", "rediss", "redis-sentinel", "rediss-sentinel"))
                .allMatch(provider::supports);
        assertThat(List.of("http", "rediss-cluster", "REDIS")).noneMatch(provider::supports);
        try (RedisTransport found = provider.open(settings(server.uri()))) {
            assertThat(answer(found.eval(count("a")))).containsExactly("1");
        }
    }

    @Test
    void aConnectionIsOpenNamedAndAtTheServer() {
        RedisConnection connection = connect();
        assertThat(connection.isOpen()).isTrue();
        assertThat(connection.server().port()).isEqualTo(proxy.port());
        assertThat(answer(send(connection, "CLIENT", "GETNAME"))).isEqualTo(CLIENT_NAME);
    }

    @Test
    void theDatabaseOfTheUriIsSelected() {
        RedisConnection connection = connect(proxy.uri() + "/3", ConnectionPurpose.COMMANDS);
        assertThat(answer(send(connection, "SET", "a", "1"))).isEqualTo("OK");
        assertThat(server.info("keyspace")).containsOnlyKeys("db3");
    }

    @Test
    void commandsOfOneFlushAreAnsweredInTheirOrder() {
        RedisConnection connection = connect();
        Queue<Object> order = new ConcurrentLinkedQueue<>();
        List<Kept> flush = List.of(
                new Kept(order::add, "INCR", "a"),
                new Kept(order::add, "INCR", "a"),
                new Kept(order::add, "INCR", "a"));
        connection.send(flush, LIMIT_NANOS);
        flush.forEach(TransportCalls::answer);
        assertThat(order).containsExactly(1L, 2L, 3L);
    }

    @Test
    void noCommandOfAFlushWaitsForTheReplyToAnother() throws InterruptedException {
        RedisConnection connection = connect();
        List<Kept> flush = List.of(new Kept("INCR", "a"), new Kept("INCR", "a"), new Kept("INCR", "a"));
        proxy.matching(ConnectorContract::isIncrement).holdReplies();
        Thread sender = new Thread(() -> connection.send(flush, LIMIT_NANOS));
        sender.start();
        await().atMost(LIMIT).until(() -> "3".equals(server.command("GET", "a")));
        assertThat(flush).noneMatch(CompletableFuture::isDone);
        proxy.releaseReplies();
        sender.join();
        assertThat(answer(flush.get(2))).isEqualTo(3L);
    }

    @Test
    void repliesKeepTheirKinds() {
        RedisConnection connection = connect();
        assertThat(answer(send(connection, "GET", "none"))).isNull();
        assertThat(answer(send(connection, "ECHO", "\u00e9 \u4e2d"))).isEqualTo("\u00e9 \u4e2d");
        assertThat(answer(send(connection, "EVAL", "return {1, 'a', {2, false}, {}}", "0")))
                .isEqualTo(List.of(1L, "a", Arrays.asList(2L, null), List.of()));
    }

    @Test
    void anErrorIsTheOutcomeOfItsCommandOnly() {
        RedisConnection connection = connect();
        List<Kept> flush = List.of(new Kept("SET", "a", "x"), new Kept("INCR", "a"), new Kept("GET", "a"));
        connection.send(flush, LIMIT_NANOS);
        assertThat(answer(flush.get(0))).isEqualTo("OK");
        assertThat(failure(flush.get(1), RedisErrorException.class)).hasMessageStartingWith("ERR value is not");
        assertThat(answer(flush.get(2))).isEqualTo("x");
        assertThat(connection.isOpen()).isTrue();
    }

    @Test
    void anErrorWithinAReplyIsAnElementOfIt() {
        RedisConnection connection = connect();
        assertThat((List<?>) answer(send(connection, "EVAL", "return {{err = 'ERR no'}, 'x'}", "0")))
                .satisfiesExactly(
                        error -> assertThat(error).isInstanceOf(RedisErrorException.class),
                        value -> assertThat(value).isEqualTo("x"));
    }

    /** Sends a command that Redis executes and whose reply is held back. Returns the thread that sends it. */
    private Thread sendsWithoutReply(RedisConnection connection, Kept command) {
        proxy.matching(ConnectorContract::isIncrement).holdReplies();
        Thread sender = new Thread(() -> connection.send(List.of(command), LIMIT_NANOS));
        sender.start();
        await().atMost(LIMIT).until(() -> "1".equals(server.command("GET", "a")));
        return sender;
    }

    @Test
    void closingFailsWhatIsInFlightAsMaybeExecuted() throws InterruptedException {
        RedisConnection connection = connect();
        Kept command = new Kept("INCR", "a");
        Thread sender = sendsWithoutReply(connection, command);
        connection.close();
        assertThat(failure(command, TransportException.class).maybeExecuted()).isTrue();
        sender.join();
        assertThat(connection.isOpen()).isFalse();
        assertThat(command.outcomes).hasValue(1);
        await().atMost(LIMIT).until(() -> received.ends.get() == 1);
    }

    @Test
    void aBrokenConnectionFailsWhatIsInFlightAndReportsItsEnd() throws InterruptedException {
        RedisConnection connection = connect();
        Kept command = new Kept("INCR", "a");
        Thread sender = sendsWithoutReply(connection, command);
        proxy.reset();
        assertThat(failure(command, TransportException.class).maybeExecuted()).isTrue();
        sender.join();
        await().atMost(LIMIT).until(() -> !connection.isOpen());
        await().atMost(LIMIT).until(() -> received.ends.get() == 1);
        assertThat(proxy.connectionsOpened()).isEqualTo(1);
    }

    @Test
    void aClosedConnectionExecutesNothing() {
        RedisConnection connection = connect();
        connection.close();
        connection.close();
        assertThat(connection.isOpen()).isFalse();
        failure(send(connection, "INCR", "a"), TransportException.class);
        assertThat(server.command("GET", "a")).isNull();
        assertThat(proxy.connectionsOpened()).isEqualTo(1);
    }

    @Test
    void aSubscriberReceivesMessagesBetweenSubscribingAndUnsubscribing() {
        RedisConnection connection = connect(proxy.uri(), ConnectionPurpose.SUBSCRIPTIONS);
        answer(send(connection, "SUBSCRIBE", "c"));
        answer(send(connection, "SUBSCRIBE", "d"));
        assertThat(server.command("PUBLISH", "c", "one")).isEqualTo(1L);
        await().atMost(LIMIT).until(() -> received.messages.contains("c: one"));
        answer(send(connection, "UNSUBSCRIBE", "c"));
        await().atMost(LIMIT).until(() -> received.unsubscribed.contains("c"));
        assertThat(server.command("PUBLISH", "c", "two")).isEqualTo(0L);
        assertThat(server.command("PUBLISH", "d", "three")).isEqualTo(1L);
        await().atMost(LIMIT).until(() -> received.messages.contains("d: three"));
        assertThat(received.messages).containsExactly("c: one", "d: three");
    }

    @Test
    void aSubscriberReportsItsEnd() {
        RedisConnection connection = connect(proxy.uri(), ConnectionPurpose.SUBSCRIPTIONS);
        answer(send(connection, "SUBSCRIBE", "c"));
        proxy.reset();
        await().atMost(LIMIT).until(() -> received.ends.get() == 1);
        assertThat(connection.isOpen()).isFalse();
    }

    @Test
    void aForbiddenChannelIsAnErrorOfItsCommand() {
        server.command("ACL", "SETUSER", "deaf", "on", ">pw", "~*", "+@all", "resetchannels", "&allowed");
        RedisConnection connection = connect(server.uri("deaf", "pw"), ConnectionPurpose.SUBSCRIPTIONS);
        assertThat(failure(send(connection, "SUBSCRIBE", "forbidden"), RedisErrorException.class)
                        .code())
                .isEqualTo("NOPERM");
    }

    @Test
    void aRefusedPasswordIsAnErrorThatDoesNotContainIt() {
        server.command("ACL", "SETUSER", "someone", "on", ">pw", "~*", "+@all");
        RedisErrorException refusal = catchThrowableOfType(
                RedisErrorException.class, () -> connect(server.uri("someone", "s3cret"), ConnectionPurpose.COMMANDS));
        assertThat(refusal.code()).isEqualTo("WRONGPASS");
        assertThat(refusal).hasMessageNotContaining("s3cret");
    }

    @Test
    void whereNobodyListensNothingWasExecuted() {
        proxy.refuse();
        TransportException failure = catchThrowableOfType(TransportException.class, this::connect);
        assertThat(failure.maybeExecuted()).isFalse();
        assertThat(failure).hasMessageContaining(String.valueOf(proxy.port()));
    }

    @Test
    void theConnectTimeoutEndsTheOpeningOfATransport() {
        server.pause();
        try {
            TransportException failure = openingFailure(
                    () -> way().open(settings(server.uri(), Duration.ofMillis(200))), TransportException.class);
            assertThat(failure).hasMessageContaining("127.0.0.1");
            assertThat(failure.maybeExecuted()).isFalse();
        } finally {
            server.resume();
        }
    }
}
