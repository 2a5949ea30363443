package dev.leasehold.jedis;

import static dev.leasehold.tck.TransportCalls.LIMIT;
import static dev.leasehold.tck.TransportCalls.answer;
import static dev.leasehold.tck.TransportCalls.count;
import static dev.leasehold.tck.TransportCalls.failure;
import static dev.leasehold.tck.TransportCalls.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.spi.ConnectionPurpose;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ServerDescription.Capability;
import dev.leasehold.spi.TransportException;
import dev.leasehold.tck.Direction;
import dev.leasehold.tck.FaultProxy;
import dev.leasehold.tck.TransportCalls;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The behaviour specific to Leasehold's own Jedis connections; the contracts cover the behaviour of every transport.
 */
class JedisTransportIT {

    @RegisterExtension
    static final EmbeddedRedisExtension SERVER = EmbeddedRedisExtension.perClass();

    /** The most connections for callers. */
    private static final int MOST = 16;

    private FaultProxy proxy;
    private RedisTransport transport;

    @BeforeEach
    void open() {
        proxy = FaultProxy.before(SERVER.uri());
        transport = JedisTransport.create(settings(proxy.uri()));
    }

    @AfterEach
    void close() {
        transport.close();
        proxy.close();
    }

    private static EmbeddedRedis redis() {
        return SERVER.server();
    }

    @Test
    void opensOneConnectionForBatchesAndOthersForTheFirstCallerAndTheFirstSubscription() {
        assertThat(proxy.connectionsOpen()).isEqualTo(1);
        answer(transport.eval(count("a")));
        assertThat(proxy.connectionsOpen()).isEqualTo(2);
        transport.evalBatch(List.of(count("a"), count("b"))).forEach(TransportCalls::answer);
        assertThat(proxy.connectionsOpen()).isEqualTo(2);
        answer(transport.subscribe("c", message -> {}));
        answer(transport.subscribe("d", message -> {}));
        assertThat(proxy.connectionsOpen()).isEqualTo(3);
        assertThat(proxy.connectionsOpened()).isEqualTo(3);
    }

    @Test
    void aConnectionThatWasClosedIsNotOpenedAgainByJedis() {
        OwnConnector connector = OwnConnector.of(settings(proxy.uri()));
        JedisConnection connection =
                connector.open(connector.info().seeds().get(0), ConnectionPurpose.COMMANDS, LIMIT.toNanos());
        long opened = proxy.connectionsOpened();
        connection.close();
        assertThatThrownBy(() -> connection.write(List.of("PING"))).hasMessageContaining("was closed");
        assertThat(proxy.connectionsOpened()).isEqualTo(opened);
    }

    @Test
    void answersOnTheCallersThread() {
        CompletionStage<List<String>> stage = transport.eval(count("a"));
        assertThat(stage.toCompletableFuture()).isCompletedWithValue(List.of("1"));
        assertThat(transport.command(null, List.of("GET", "a")).toCompletableFuture())
                .isCompletedWithValue("1");
    }

    @Test
    void manyCallersShareSixteenConnections() {
        CountDownLatch together = new CountDownLatch(1);
        List<CompletableFuture<List<String>>> callers = new ArrayList<>();
        for (int i = 0; i < 3 * MOST; i++) {
            CompletableFuture<List<String>> caller = new CompletableFuture<>();
            callers.add(caller);
            Thread thread = new Thread(() -> {
                try {
                    together.await();
                    for (int call = 0; call < 19; call++) {
                        answer(transport.eval(count("a")));
                    }
                    caller.complete(answer(transport.eval(count("a"))));
                } catch (InterruptedException | RuntimeException | Error e) {
                    caller.completeExceptionally(e);
                }
            });
            thread.setDaemon(true);
            thread.start();
        }
        together.countDown();
        callers.forEach(TransportCalls::answer);
        assertThat(redis().command("GET", "a")).isEqualTo(String.valueOf(20 * 3 * MOST));
        assertThat(proxy.connectionsOpened()).isLessThanOrEqualTo(1 + MOST);
    }

    @Test
    void aCallerWaitsForAConnectionNoLongerThanItsTimeOut() {
        redis().pause();
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < MOST; i++) {
            Thread caller = new Thread(() -> transport.eval(count("a")));
            caller.setDaemon(true);
            caller.start();
            callers.add(caller);
        }
        await().atMost(LIMIT).until(() -> proxy.connectionsOpened() == 1 + MOST);
        TransportException failure =
                failure(transport.eval(count("b", Duration.ofMillis(50))), TransportException.class);
        assertThat(failure.maybeExecuted()).isFalse();
        assertThat(failure).hasMessageContaining("in use");
        redis().resume();
        await().atMost(LIMIT).until(() -> callers.stream().noneMatch(Thread::isAlive));
        assertThat(redis().command("GET", "b")).isNull();
    }

    @Test
    void anInterruptedCallerIsAnsweredAndStaysInterrupted() {
        Thread.currentThread().interrupt();
        CompletionStage<List<String>> stage = transport.eval(count("a"));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(answer(stage)).containsExactly("1");
    }

    @Test
    void aCallThatIsNotAnsweredInItsTimeFailsAsMaybeExecutedAndCostsNoOtherConnection() {
        answer(transport.eval(count("a")));
        answer(transport.subscribe("c", message -> {}));
        proxy.matching(request -> request.startsWith("EVAL")).dropNextReplyThenSilence();
        assertThat(failure(transport.eval(count("a", Duration.ofMillis(60))), TransportException.class)
                        .maybeExecuted())
                .isTrue();
        assertThat(answer(transport.eval(count("a")))).containsExactly("3");
        // For batches, for subscriptions, and for callers the closed one and the next.
        assertThat(proxy.connectionsOpened()).isEqualTo(4);
    }

    @Test
    void aBatchOnASilentConnectionIsGivenUpSoonAndTheNextGoesOverAnother() {
        transport.evalBatch(List.of(count("a"))).forEach(TransportCalls::answer);
        long before = proxy.connectionsOpened();
        proxy.matching(request -> request.startsWith("EVAL")).dropNextReplyThenSilence();
        List<CompletionStage<List<String>>> silent = transport.evalBatch(List.of(count("a"), count("a")));
        await().atMost(LIMIT).until(() -> "3".equals(redis().command("GET", "a")));
        List<CompletionStage<List<String>>> behind = transport.evalBatch(List.of(count("b")));
        for (CompletionStage<?> stage : silent) {
            assertThat(failure(stage, TransportException.class).maybeExecuted()).isTrue();
        }
        behind.forEach(stage -> assertThat(answer(stage)).containsExactly("1"));
        assertThat(proxy.connectionsOpened()).isEqualTo(before + 1);
    }

    @Test
    void aServerThatIsAlwaysSlowIsHeardInTheEnd() {
        proxy.delay(Direction.TO_CLIENT, Duration.ofMillis(500));
        await().atMost(LIMIT)
                .ignoreExceptionsInstanceOf(TransportException.class)
                .until(() -> {
                    transport.evalBatch(List.of(count("a"))).forEach(TransportCalls::answer);
                    return true;
                });
    }

    @Test
    void aLargeBatchIsSentInPartsAndAnsweredWhole() {
        AtomicInteger number = new AtomicInteger();
        // On a busy machine the server may be silent for longer than a connection may be, which fails that batch.
        await().atMost(LIMIT)
                .ignoreExceptionsInstanceOf(TransportException.class)
                .until(() -> answersToALargeBatch("x".repeat(200) + number.incrementAndGet()), answers -> {
                    assertThat(answers)
                            .containsExactlyElementsOf(IntStream.rangeClosed(1, 1000)
                                    .mapToObj(count -> List.of(String.valueOf(count)))
                                    .toList());
                    return true;
                });
    }

    private List<List<String>> answersToALargeBatch(String name) {
        return transport.evalBatch(Collections.nCopies(1000, count(name))).stream()
                .map(TransportCalls::answer)
                .toList();
    }

    @Test
    void subscriptionsThatComeAndGoByTurnsEndAsTheLastOneSays() throws Exception {
        for (int i = 0; i < 50; i++) {
            answer(transport.subscribe("c", message -> {})).close();
        }
        List<String> heard = new CopyOnWriteArrayList<>();
        answer(transport.subscribe("c", heard::add));
        assertThat(redis().command("PUBLISH", "c", "m")).isEqualTo(1L);
        await().atMost(LIMIT).until(() -> heard.equals(List.of("m")));
    }

    @Test
    void tellsWhatItCan() {
        assertThat(answer(transport.describe()).capabilities())
                .containsExactlyInAnyOrder(
                        Capability.AT_MOST_ONCE,
                        Capability.COUNTS_RECEIVERS,
                        Capability.CALLS_ACROSS_SLOTS,
                        Capability.WAITS_FOR_REPLICAS);
    }

    @Test
    void itsThreadsNeverKeepAJvmAliveAndEndWithIt() {
        List<Thread> before = threads();
        try (RedisTransport another = JedisTransport.create(settings(SERVER.uri()))) {
            another.evalBatch(List.of(count("a"))).forEach(TransportCalls::answer);
            answer(another.subscribe("c", message -> {}));
            List<Thread> own = threads();
            own.removeAll(before);
            assertThat(own).hasSize(2).allMatch(Thread::isDaemon);
            another.close();
            await().atMost(LIMIT).until(() -> own.stream().noneMatch(Thread::isAlive));
        }
    }

    private static List<Thread> threads() {
        return new ArrayList<>(Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("leasehold-")
                        && thread.getName().endsWith(":" + redis().port()))
                .toList());
    }
}
