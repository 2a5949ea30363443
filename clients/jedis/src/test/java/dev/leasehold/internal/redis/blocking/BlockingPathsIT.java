package dev.leasehold.internal.redis.blocking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.leasehold.internal.redis.path.CommandPath;
import dev.leasehold.internal.redis.path.PendingCommand;
import dev.leasehold.internal.redis.path.ServerRoute;
import dev.leasehold.internal.redis.path.TextCommand;
import dev.leasehold.internal.redis.server.DirectRoute;
import dev.leasehold.jedis.JedisConnectors;
import dev.leasehold.spi.RedisConnector;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.TransportException;
import dev.leasehold.tck.FaultProxy;
import dev.leasehold.testkit.EmbeddedRedisExtension;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The paths over connections that block. */
class BlockingPathsIT {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    @RegisterExtension
    static final EmbeddedRedisExtension SERVER = EmbeddedRedisExtension.perClass();

    private final AtomicLong ahead = new AtomicLong();
    private FaultProxy proxy;
    private RedisConnector connector;
    private ServerRoute route;
    private BlockingPaths paths;
    private CommandPath calls;

    /** The machine's clock, which a test can put forward. */
    private final class MovableTime implements TimeSource {

        @Override
        public long nanoTime() {
            return TimeSource.system().nanoTime() + ahead.get();
        }

        @Override
        public long wallMillis() {
            return TimeSource.system().wallMillis();
        }
    }

    @BeforeEach
    void connect() {
        proxy = FaultProxy.before(SERVER.uri());
        connector = JedisConnectors.own(proxy.uri());
        route = DirectRoute.toServer(connector, connector.info().seeds().get(0));
        paths = new BlockingPaths(connector.info(), new MovableTime());
        calls = paths.calls(route);
    }

    @AfterEach
    void close() {
        calls.close("the test is over");
        connector.close();
        proxy.close();
        SERVER.server().flush();
    }

    private static TextCommand send(CommandPath path, String... words) {
        TextCommand command = new TextCommand(List.of(words));
        // Longer than a test waits: no timeout of the path does what another rule should do.
        path.send(command, 2 * LIMIT.toNanos());
        return command;
    }

    private static @Nullable Object answer(CompletableFuture<?> command) {
        return command.orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
    }

    private static TransportException failure(CompletableFuture<?> command) {
        Throwable failure = catchThrowable(() -> answer(command));
        assertThat(failure).isInstanceOf(CompletionException.class);
        return (TransportException) failure.getCause();
    }

    private static CompletableFuture<TextCommand> sendElsewhere(CommandPath path, String... words) {
        CompletableFuture<TextCommand> sent = new CompletableFuture<>();
        Thread thread = new Thread(() -> sent.complete(send(path, words)));
        thread.setDaemon(true);
        thread.start();
        return sent;
    }

    @Test
    void aCommandSentByACompletionNeedsNoSecondConnection() {
        CompletableFuture<@Nullable Object> second = new CompletableFuture<>();
        PendingCommand<@Nullable Object> first = new PendingCommand<>(List.of("INCR", "a")) {
            @Override
            protected void replied(@Nullable Object reply) {
                second.complete(answer(send(calls, "INCR", "a")));
                complete(reply);
            }
        };
        calls.send(first, LIMIT.toNanos());
        assertThat(first).isCompletedWithValue(1L);
        assertThat(second).isCompletedWithValue(2L);
        assertThat(proxy.connectionsOpened()).isEqualTo(1);
    }

    @Test
    void aConnectionThatWasIdleForAMinuteIsNotUsedAgain() {
        answer(send(calls, "PING"));
        ahead.addAndGet(TimeUnit.SECONDS.toNanos(59));
        answer(send(calls, "PING"));
        assertThat(proxy.connectionsOpened()).isEqualTo(1);
        ahead.addAndGet(TimeUnit.SECONDS.toNanos(61));
        answer(send(calls, "PING"));
        assertThat(proxy.connectionsOpened()).isEqualTo(2);
    }

    @Test
    void aBrokenConnectionCostsOneCallAndTakesTheIdleOnesWithIt() {
        proxy.matching(request -> request.startsWith("INCR")).holdReplies();
        List<CompletableFuture<TextCommand>> together =
                List.of(sendElsewhere(calls, "INCR", "a"), sendElsewhere(calls, "INCR", "a"));
        await().atMost(LIMIT).until(() -> proxy.connectionsOpened() == 2);
        proxy.releaseReplies();
        together.forEach(BlockingPathsIT::answer);
        proxy.reset();
        assertThat(failure(send(calls, "INCR", "a")).maybeExecuted()).isTrue();
        assertThat(answer(send(calls, "GET", "a"))).isEqualTo("2");
    }

    @Test
    void aServerThatTakesNoWritesIsLeft() {
        answer(send(calls, "SET", "a", "1"));
        SERVER.server().command("REPLICAOF", "127.0.0.1", "1");
        try {
            TextCommand refused = send(calls, "SET", "a", "2");
            assertThat(refused).isCompletedExceptionally();
            assertThat(catchThrowable(refused::join)).hasCauseInstanceOf(RedisErrorException.class);
        } finally {
            SERVER.server().command("REPLICAOF", "NO", "ONE");
        }
        answer(send(calls, "GET", "a"));
        assertThat(proxy.connectionsOpened()).isEqualTo(2);
    }

    @Test
    void aRestartCutsConnectionsInUse() {
        proxy.matching(request -> request.startsWith("INCR")).holdReplies();
        CompletableFuture<TextCommand> waiting = sendElsewhere(calls, "INCR", "a");
        await().atMost(LIMIT).until(() -> "1".equals(SERVER.server().command("GET", "a")));
        calls.restart("another server is the primary");
        assertThat(failure(waiting.thenCompose(command -> command)).maybeExecuted())
                .isTrue();
        assertThat(answer(send(calls, "GET", "a"))).isEqualTo("1");
        assertThat(proxy.connectionsOpened()).isEqualTo(2);
    }

    @Test
    void aClosedBatchPathFailsWhatIsInFlightAsMaybeExecutedAndTheRestAsNot() {
        CommandPath batches = paths.batches(route);
        answer(batches.open().toCompletableFuture());
        proxy.matching(request -> request.startsWith("INCR")).holdReplies();
        TextCommand inFlight = send(batches, "INCR", "a");
        await().atMost(LIMIT).until(() -> "1".equals(SERVER.server().command("GET", "a")));
        TextCommand queued = send(batches, "INCR", "a");
        batches.close("the test is over");
        assertThat(failure(inFlight).maybeExecuted()).isTrue();
        assertThat(failure(queued).maybeExecuted()).isFalse();
        assertThat(failure(send(batches, "INCR", "a")).maybeExecuted()).isFalse();
        assertThat(SERVER.server().command("GET", "a")).isEqualTo("1");
    }

    @Test
    void aSilentConnectionThatWaitsForReplicasIsReplacedWhenItsCallerGivesUp() {
        CommandPath durable = paths.durable(route);
        answer(send(durable, "PING"));
        proxy.matching(request -> request.startsWith("INCR")).dropNextReplyThenSilence();
        TextCommand silent = send(durable, "INCR", "a");
        TextCommand behind = send(durable, "INCR", "b");
        await().atMost(LIMIT).until(() -> "1".equals(SERVER.server().command("GET", "a")));
        ahead.addAndGet(TimeUnit.MILLISECONDS.toNanos(150));
        silent.cancel(false);
        assertThat(answer(behind)).isEqualTo(1L);
        assertThat(proxy.connectionsOpened()).isEqualTo(2);
        durable.close("the test is over");
    }
}
