package dev.leasehold.lettuce;

import static dev.leasehold.tck.TransportCalls.LIMIT;
import static dev.leasehold.tck.TransportCalls.answer;
import static dev.leasehold.tck.TransportCalls.assertNotExecuted;
import static dev.leasehold.tck.TransportCalls.count;
import static dev.leasehold.tck.TransportCalls.failure;
import static dev.leasehold.tck.TransportCalls.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ServerDescription.Capability;
import dev.leasehold.spi.TransportException;
import dev.leasehold.tck.FaultProxy;
import dev.leasehold.tck.TransportCalls;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisExtension;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;

/** The behaviour specific to Leasehold's own Lettuce client; the contracts cover the behaviour of every transport. */
@Isolated("it counts the threads of Lettuce")
class LettuceTransportIT {

    @RegisterExtension
    static final EmbeddedRedisExtension SERVER = EmbeddedRedisExtension.perClass();

    private FaultProxy proxy;
    private RedisTransport transport;

    @BeforeEach
    void open() {
        proxy = FaultProxy.before(SERVER.uri());
        transport = LettuceTransport.create(settings(proxy.uri(), Duration.ofMinutes(1)));
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
    void opensTwoConnectionsAndAThirdAtTheFirstSubscription() {
        assertThat(proxy.connectionsOpen()).isEqualTo(2);
        answer(transport.eval(count("a")));
        transport.evalBatch(List.of(count("a"), count("b"))).forEach(TransportCalls::answer);
        assertThat(proxy.connectionsOpen()).isEqualTo(2);
        answer(transport.subscribe("c", message -> {}));
        answer(transport.subscribe("d", message -> {}));
        assertThat(proxy.connectionsOpen()).isEqualTo(3);
        assertThat(proxy.connectionsOpened()).isEqualTo(3);
    }

    @Test
    void reportsThatItSendsAtMostOnce() {
        assertThat(answer(transport.describe()).capabilities()).contains(Capability.AT_MOST_ONCE);
    }

    @Test
    void aCallThatMeetsNoConnectionIsSentOverTheNext() {
        redis().pause();
        proxy.reset();
        CompletionStage<List<String>> waiting = awaitUnsent(LIMIT);
        redis().resume();
        assertThat(answer(waiting)).containsExactly("1");
    }

    @Test
    void aBatchThatMeetsNoConnectionIsSentOverTheNext() {
        redis().pause();
        proxy.reset();
        await().atMost(LIMIT).until(() -> proxy.requests("HELLO") == 4);
        List<CompletionStage<List<String>>> waiting = transport.evalBatch(List.of(count("a"), count("b"), count("a")));
        redis().resume();
        assertThat(waiting.stream().map(TransportCalls::answer))
                .containsExactly(List.of("1"), List.of("1"), List.of("2"));
    }

    @Test
    void aCallThatMeetsNoConnectionWaitsNoLongerThanItsTimeOut() {
        redis().pause();
        proxy.reset();
        CompletionStage<List<String>> waiting = awaitUnsent(Duration.ofMillis(50));
        assertNotExecuted(waiting);
        redis().resume();
        assertThat(answer(transport.eval(count("a")))).containsExactly("1");
    }

    /** A call made while the server answers nothing, and the new connection has got no further than its HELLO. */
    private CompletionStage<List<String>> awaitUnsent(Duration timeout) {
        await().atMost(LIMIT).until(() -> proxy.requests("HELLO") == 4);
        return transport.eval(count("a", timeout));
    }

    @Test
    void aCallThatWasCancelledBeforeItWasSentIsNeverSent() {
        redis().pause();
        proxy.reset();
        awaitUnsent(LIMIT).toCompletableFuture().cancel(true);
        redis().resume();
        assertThat(answer(transport.eval(count("a")))).containsExactly("1");
    }

    @Test
    void renewalsDoNotSufferFromASilentConnectionOfCallers() {
        answer(transport.eval(count("a")));
        proxy.matching(request -> request.startsWith("EVAL") && request.contains(" silent"))
                .dropNextReplyThenSilence();
        transport.eval(count("silent"));
        await().atMost(LIMIT).until(() -> "1".equals(redis().command("GET", "silent")));
        transport.evalBatch(List.of(count("a"), count("a"))).forEach(TransportCalls::answer);
        assertThat(redis().command("GET", "a")).isEqualTo("3");
    }

    @Test
    void aSilentConnectionForRenewalsIsReplacedWhenAllOfABatchIsGivenUp() {
        transport.evalBatch(List.of(count("a"))).forEach(TransportCalls::answer);
        proxy.matching(request -> request.startsWith("EVAL")).dropNextReplyThenSilence();
        List<CompletionStage<List<String>>> silent = transport.evalBatch(List.of(count("a"), count("a")));
        long before = proxy.connectionsOpened();
        await().atMost(LIMIT).until(() -> "3".equals(redis().command("GET", "a")));
        silent.forEach(stage -> stage.toCompletableFuture().cancel(true));
        await().atMost(LIMIT).until(() -> proxy.connectionsOpened() == before + 1);
        assertThat(transport.evalBatch(List.of(count("a"))).stream().map(TransportCalls::answer))
                .containsExactly(List.of("4"));
    }

    @Test
    void otherRequestsInFlightOnASilentConnectionFailAsMaybeExecuted() {
        answer(transport.eval(count("a")));
        proxy.matching(request -> request.startsWith("EVAL")).dropNextReplyThenSilence();
        Future<?> impatient = transport.eval(count("a")).toCompletableFuture();
        CompletionStage<?> patient = transport.eval(count("a"));
        await().atMost(LIMIT).until(() -> "3".equals(redis().command("GET", "a")));
        impatient.cancel(true);
        assertThat(failure(patient, TransportException.class).maybeExecuted()).isTrue();
    }

    @Test
    void theConnectTimeOutEndsTheOpeningOfATransport() {
        redis().pause();
        TransportException failure = catchThrowableOfType(
                TransportException.class,
                () -> LettuceTransport.create(settings(SERVER.uri(), Duration.ofMillis(200))));
        assertThat(failure).hasMessageContaining("200 ms").hasMessageContaining("127.0.0.1");
        assertThat(failure.maybeExecuted()).isFalse();
    }

    @Test
    void itsThreadsNeverKeepAJvmAliveAndEndWithIt() {
        Set<Thread> before = lettuceThreads();
        try (RedisTransport another = LettuceTransport.create(settings(SERVER.uri()))) {
            answer(another.eval(count("a")));
            // Netty starts a thread to end one that never ran: clients that other tests closed have some for a moment.
            Set<Thread> own = await().atMost(LIMIT).until(() -> startedSince(before), threads -> threads.size() <= 5);
            assertThat(own).isNotEmpty().allMatch(Thread::isDaemon);
            another.close();
            await().atMost(LIMIT).until(() -> own.stream().noneMatch(Thread::isAlive));
        }
    }

    private static Set<Thread> startedSince(Set<Thread> before) {
        Set<Thread> now = lettuceThreads();
        now.removeAll(before);
        return now;
    }

    private static Set<Thread> lettuceThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("lettuce"))
                .collect(Collectors.toSet());
    }

    @Test
    void anInterruptEndsTheOpeningOfATransportAndIsNotSwallowed() {
        Thread.currentThread().interrupt();
        TransportException failure =
                catchThrowableOfType(TransportException.class, () -> LettuceTransport.create(settings(SERVER.uri())));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(failure).hasMessageContaining("interrupted");
    }
}
