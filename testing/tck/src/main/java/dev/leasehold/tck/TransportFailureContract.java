package dev.leasehold.tck;

import static dev.leasehold.tck.TransportCalls.LIMIT;
import static dev.leasehold.tck.TransportCalls.answer;
import static dev.leasehold.tck.TransportCalls.assertNotExecuted;
import static dev.leasehold.tck.TransportCalls.count;
import static dev.leasehold.tck.TransportCalls.failure;
import static dev.leasehold.tck.TransportCalls.giveUp;
import static dev.leasehold.tck.TransportCalls.openingFailure;
import static dev.leasehold.tck.TransportCalls.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.TransportException;
import dev.leasehold.testkit.EmbeddedRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The behaviour of a transport when the network or the server fails, or the server refuses a request. */
@On({Topology.STANDALONE, Topology.CLUSTER})
class TransportFailureContract extends TransportBase {

    private @Nullable FaultProxy between;
    private @Nullable RedisTransport opened;

    @BeforeEach
    void openTransport() {
        between = FaultProxy.before(server().uri());
        opened = open(settings(between.uri()));
    }

    @AfterEach
    void closeTransport() {
        transport().close();
        proxy().close();
    }

    private RedisTransport transport() {
        if (opened == null) {
            throw new IllegalStateException("not open");
        }
        return opened;
    }

    private FaultProxy proxy() {
        if (between == null) {
            throw new IllegalStateException("not open");
        }
        return between;
    }

    private EmbeddedRedis redis() {
        return server();
    }

    private FaultSelection scripts() {
        return proxy().matching(request -> request.regionMatches(true, 0, "EVAL", 0, 4));
    }

    /** Waits until requests are answered again, which is as soon as there is a connection. */
    private void awaitAnswers() {
        await().atMost(LIMIT)
                .ignoreExceptionsInstanceOf(TransportException.class)
                .until(() -> {
                    answer(transport().eval(count("other")));
                    return true;
                });
    }

    @Test
    void aConnectionThatBreaksFailsWhatIsInFlightAsMaybeExecuted() {
        answer(transport().eval(count("a")));
        scripts().dropNextReplyThenReset();
        CompletionStage<?> stage = transport().eval(count("a"));
        assertThat(failure(stage, TransportException.class).maybeExecuted()).isTrue();
        awaitAnswers();
        assertThat(redis().command("GET", "a")).isEqualTo("2");
    }

    @Test
    void aConnectionThatBreaksFailsEveryEntryOfABatchAsMaybeExecuted() {
        transport().evalBatch(List.of(count("a"))).forEach(TransportCalls::answer);
        scripts().dropNextReplyThenReset();
        for (CompletionStage<?> stage : transport().evalBatch(List.of(count("a"), count("a"), count("a")))) {
            assertThat(failure(stage, TransportException.class).maybeExecuted()).isTrue();
        }
        awaitAnswers();
        transport().evalBatch(List.of(count("b"))).forEach(TransportCalls::answer);
        assertThat(redis().command("GET", "a")).isEqualTo("4");
    }

    @Test
    void aRefusedConnectionFailsCallsAsNotExecuted() {
        answer(transport().eval(count("a")));
        proxy().refuse();
        proxy().reset();
        // The first may still have been sent over the broken connection.
        await().atMost(LIMIT).untilAsserted(() -> assertNotExecuted(transport().eval(count("a"))));
        await().atMost(LIMIT)
                .untilAsserted(
                        () -> transport().evalBatch(List.of(count("a"))).forEach(TransportCalls::assertNotExecuted));
        assertNotExecuted(transport().describe());
        proxy().heal();
        awaitAnswers();
        assertThat(redis().command("GET", "a")).isEqualTo("1");
    }

    @Test
    void nothingIsSentTwiceNorKeptForALaterConnection() {
        List<CompletionStage<List<String>>> stages = new ArrayList<>();
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < 10; i++) {
                stages.add(transport().eval(count("a")));
                stages.addAll(transport().evalBatch(List.of(count("a"), count("a"))));
            }
            proxy().reset();
        }
        int answered = 0;
        int unknown = 0;
        for (CompletionStage<List<String>> stage : stages) {
            try {
                answer(stage);
                answered++;
            } catch (TransportException e) {
                unknown += e.maybeExecuted() ? 1 : 0;
            }
        }
        awaitAnswers();
        // The connection for batches may have been idle when it was cut; the next batch detects that.
        await().atMost(LIMIT)
                .ignoreExceptionsInstanceOf(TransportException.class)
                .until(() -> {
                    transport().evalBatch(List.of(count("other"))).forEach(TransportCalls::answer);
                    return true;
                });
        long executed = Long.parseLong(String.valueOf(redis().command("INCRBY", "a", "0")));
        assertThat(executed).isBetween((long) answered, (long) answered + unknown);
    }

    @Test
    void afterSilenceTheNextCallGoesOverAnotherConnection() {
        answer(transport().eval(count("a")));
        Fault silence = scripts().dropNextReplyThenSilence();
        long before = proxy().connectionsOpened();
        giveUp(transport(), count("a", Duration.ofMillis(600)));
        assertThat(silence.count()).isEqualTo(1);
        assertThat(answer(transport().eval(count("a")))).containsExactly("3");
        assertThat(proxy().connectionsOpened()).isGreaterThan(before);
    }

    @Test
    void aCallWithAShortTimeoutDisturbsNoOther() {
        answer(transport().eval(count("a")));
        proxy().delay(Direction.TO_CLIENT, Duration.ofMillis(20));
        // A round fails for good reason if this machine stalls in the middle of it, so one good round suffices.
        await().atMost(LIMIT)
                .ignoreExceptionsInstanceOf(TransportException.class)
                .until(() -> {
                    long before = proxy().connectionsOpened();
                    for (int i = 0; i < 10; i++) {
                        giveUpOnceSent(count("given"));
                        answer(transport().eval(count("a")));
                    }
                    return proxy().connectionsOpened() == before;
                });
    }

    private void giveUpOnceSent(ScriptCall call) {
        long before = proxy().requests("EVALSHA");
        Future<?> future = transport().eval(call).toCompletableFuture();
        await().atMost(LIMIT)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> proxy().requests("EVALSHA") > before);
        future.cancel(true);
    }

    @Test
    void aSubscriptionSurvivesTheLossOfItsConnection() {
        Queue<String> received = new ConcurrentLinkedQueue<>();
        answer(transport().subscribe("c", received::add));
        answer(transport().subscribe("d", received::add));
        redis().command("CLIENT", "KILL", "TYPE", "pubsub");
        for (String channel : List.of("c", "d")) {
            await().atMost(LIMIT).until(() -> Long.valueOf(1).equals(redis().command("PUBLISH", channel, channel)));
            await().atMost(LIMIT).until(() -> received.contains(channel));
        }
    }

    @Test
    void aListenerIsNotifiedWhenItsSubscriptionWasLostAndIsBack() {
        AtomicInteger again = new AtomicInteger();
        answer(transport().subscribe("c", new ChannelListener() {
            @Override
            public void message(String message) {}

            @Override
            public void resubscribed() {
                again.incrementAndGet();
            }
        }));
        assertThat(again).hasValue(0);
        for (int i = 1; i <= 3; i++) {
            int notified = i;
            redis().command("CLIENT", "KILL", "TYPE", "pubsub");
            await().atMost(LIMIT).until(() -> again.get() >= notified);
            assertThat(redis().command("PUBLISH", "c", "heard")).isEqualTo(1L);
        }
    }

    @Test
    void aSubscriptionThatIsNotConfirmedAndGivenUpReplacesItsConnection() {
        answer(transport().subscribe("c", message -> {}));
        long before = proxy().connectionsOpened();
        proxy().matching(request -> request.startsWith("SUBSCRIBE d")).dropNextReplyThenSilence();
        Future<?> silent = transport().subscribe("d", message -> {}).toCompletableFuture();
        await().atMost(LIMIT).until(() -> Long.valueOf(1).equals(redis().command("PUBLISH", "d", "unheard")));
        silent.cancel(true);
        await().atMost(LIMIT).until(() -> proxy().connectionsOpened() > before);
        answer(transport().subscribe("e", message -> {}));
        await().atMost(LIMIT).until(() -> Long.valueOf(0).equals(redis().command("PUBLISH", "d", "nobody")));
    }

    @Test
    void aSubscriptionFailsWhileTheServerIsOutOfReach() {
        proxy().refuse();
        proxy().reset();
        assertNotExecutedSubscription();
        proxy().heal();
        await().atMost(LIMIT)
                .ignoreExceptionsInstanceOf(TransportException.class)
                .until(() -> {
                    answer(transport().subscribe("c", message -> {}));
                    return true;
                });
    }

    private void assertNotExecutedSubscription() {
        assertThat(failure(transport().subscribe("c", message -> {}), TransportException.class))
                .hasMessageContaining(String.valueOf(proxy().port()));
    }

    @Test
    void openingFailsAsNotExecutedWhereNoServerListens() {
        proxy().refuse();
        TransportException failure = openingFailure(() -> open(settings(proxy().uri())), TransportException.class);
        assertThat(failure.maybeExecuted()).isFalse();
        assertThat(failure).hasMessageContaining(String.valueOf(proxy().port()));
    }

    @Test
    void openingFailsWithTheWordsOfTheServerAndWithoutThePassword() {
        try (Site site = start(EmbeddedRedis.builder().password("right"))) {
            EmbeddedRedis guarded = site.server();
            String wrong = guarded.uri("default", "wr0ng-s3cret");
            RedisErrorException refused = openingFailure(() -> open(settings(wrong)), RedisErrorException.class);
            assertThat(refused.code()).isEqualTo("WRONGPASS");
            assertThat(refused).hasStackTraceContaining("WRONGPASS");
            assertThat(refused.toString()).doesNotContain("s3cret");

            String none = "redis://" + guarded.host() + ":" + guarded.port();
            refused = openingFailure(() -> open(settings(none)), RedisErrorException.class);
            assertThat(refused.code()).isEqualTo("NOAUTH");
        }
    }

    @Test
    void userAndPasswordMayHaveAnyCharacter() {
        String password = "p@ss:w/\u00f6rt%41+ &?#'\"\\[]\u9396";
        try (Site site = start(EmbeddedRedis.builder()
                .password(password)
                .user("us+er@x:y", "on", ">" + password, "~*", "&*", "+@all"))) {
            EmbeddedRedis guarded = site.server();
            for (String uri : List.of(guarded.uri(), guarded.uri("us+er@x:y", password))) {
                try (RedisTransport transport = open(settings(uri))) {
                    assertThat(answer(transport.eval(count("a")))).isNotEmpty();
                    assertThat(transport.toString()).doesNotContain("p@ss").doesNotContain("p%40ss");
                } catch (Exception e) {
                    throw new AssertionError(uri, e);
                }
            }
        }
    }
}
