package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class SimulatedTransportTest {

    private static final Script COUNT = new Script(
            "count",
            "return {ARGV[1], tostring(redis.call('HINCRBY', KEYS[1], 'n', 1))}",
            "0123456789abcdef0123456789abcdef01234567");

    private final ManualClock clock = ManualClock.create();
    private final SimulatedRedis redis = SimulatedRedis.create(clock);
    private final Queue<Fate> fates = new ArrayDeque<>();
    private final SimulatedTransport transport =
            new SimulatedTransport(redis, clock, call -> fates.isEmpty() ? Fate.AT_ONCE : fates.remove());
    private final List<String> log = new ArrayList<>();

    private static ScriptCall call(String name) {
        return new ScriptCall(COUNT, List.of("k"), List.of(name), 0);
    }

    private CompletableFuture<List<String>> send(String name, Fate fate) {
        fates.add(fate);
        return noted(name, transport.eval(call(name)).toCompletableFuture());
    }

    private CompletableFuture<List<String>> noted(String name, CompletableFuture<List<String>> future) {
        CompletableFuture<?> unused = future.whenComplete(
                (reply, failure) -> log.add(failure == null ? reply.get(0) + reply.get(1) : name + " failed"));
        return future;
    }

    private void advance(long nanos) {
        clock.advance(Duration.ofNanos(nanos));
    }

    private long executed() {
        return Long.parseLong(redis.hash("k").getOrDefault("n", "0"));
    }

    @Test
    void answersAtOnceOnTheCallersStack() {
        assertThat(send("a", Fate.AT_ONCE)).isCompletedWithValue(List.of("a", "1"));
    }

    @Test
    void anErrorReplyFailsTheStage() {
        redis.failNext(1, "BUSY Redis is busy");
        assertThat(send("a", Fate.AT_ONCE))
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(RedisErrorException.class);
    }

    @Test
    void takesItsTimeThereAndBack() {
        CompletableFuture<List<String>> reply = send("a", new Fate(10, 5, false, false, -1, false));
        advance(9);
        assertThat(executed()).isZero();
        advance(1);
        assertThat(executed()).isEqualTo(1);
        assertThat(reply).isNotDone();
        advance(5);
        assertThat(reply).isCompletedWithValue(List.of("a", "1"));
    }

    @Test
    void keepsTheOrderOfAConnectionButNotBetweenTwo() {
        send("slow", Fate.after(100));
        send("at once", Fate.AT_ONCE);
        noted("batch", transport.evalBatch(List.of(call("batch"))).get(0).toCompletableFuture());
        assertThat(log).containsExactly("batch1");
        advance(50);
        assertThat(executed()).isEqualTo(3);
        advance(50);
        assertThat(log).containsExactly("batch1", "slow2", "at once3");
    }

    @Test
    void aSlowReplyHoldsUpTheNext() {
        send("a", new Fate(0, 100, false, false, -1, false));
        send("b", new Fate(0, 10, false, false, -1, false));
        advance(50);
        assertThat(log).isEmpty();
        assertThat(executed()).isEqualTo(2);
        advance(50);
        assertThat(log).containsExactly("a1", "b2");
    }

    @Test
    void aLostRequestIsNeverExecutedNorAnswered() {
        CompletableFuture<List<String>> reply = send("a", new Fate(1, 1, true, false, -1, false));
        advance(1000);
        assertThat(executed()).isZero();
        assertThat(reply).isNotDone();
    }

    @Test
    void aLostReplyNeverArrivesThoughTheRequestIsExecuted() {
        CompletableFuture<List<String>> reply = send("a", new Fate(1, 1, false, true, -1, false));
        advance(1000);
        assertThat(executed()).isEqualTo(1);
        assertThat(reply).isNotDone();
    }

    @Test
    void aBrokenConnectionIsReportedWithAnUnknownOutcome() {
        assertBroken(send("a", new Fate(0, 0, false, true, -1, true)));
        assertThat(executed()).isEqualTo(1);
        assertBroken(send("b", new Fate(0, 0, true, false, -1, true)));
        assertThat(executed()).isEqualTo(1);
        CompletableFuture<List<String>> later = send("c", new Fate(10, 10, false, false, -1, true));
        advance(19);
        assertThat(later).isNotDone();
        advance(1);
        assertBroken(later);
        assertThat(executed()).isEqualTo(2);
    }

    private static void assertBroken(CompletableFuture<?> stage) {
        assertThat(stage)
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(TransportException.class)
                .satisfies(e -> assertThat(((TransportException) e.getCause()).maybeExecuted())
                        .isTrue());
    }

    @Test
    void aSecondCopyArrivesLaterWhateverHappenedToTheFirst() {
        assertThat(send("a", new Fate(0, 0, false, false, 50, false))).isCompleted();
        CompletableFuture<List<String>> lost = send("b", new Fate(10, 0, true, false, 50, false));
        assertThat(executed()).isEqualTo(1);
        advance(50);
        assertThat(executed()).isEqualTo(2);
        advance(10);
        assertThat(executed()).isEqualTo(3);
        assertThat(lost).isNotDone();
        assertThat(log).containsExactly("a1");
    }

    @Test
    void aPausedServerAnswersNothingAndThenAll() {
        transport.pause(true);
        send("a", Fate.AT_ONCE);
        send("b", Fate.after(10));
        CompletableFuture<Object> time =
                transport.command(null, List.of("TIME")).toCompletableFuture();
        advance(100);
        assertThat(executed()).isZero();
        assertThat(time).isNotDone();
        transport.pause(false);
        assertThat(executed()).isEqualTo(2);
        advance(100);
        assertThat(log).containsExactly("a1", "b2");
        assertThat(time).isCompleted();
    }

    @Test
    void aRestartBreaksWhatIsUnderWay() {
        CompletableFuture<List<String>> request = send("a", Fate.after(100));
        CompletableFuture<List<String>> lostReply = send("b", new Fate(0, 0, false, true, -1, false));
        redis.restart(true);
        assertBroken(request);
        assertBroken(lostReply);
        advance(1000);
        assertThat(executed()).isZero();
        assertThat(send("c", Fate.AT_ONCE)).isCompleted();
    }

    @Test
    void closingFailsRequestsUnderWayAndLaterOnes() {
        CompletableFuture<List<String>> request = send("a", Fate.after(100));
        transport.close();
        assertBroken(request);
        assertThatThrownBy(() -> transport.eval(call("b")))
                .isInstanceOfSatisfying(
                        TransportException.class,
                        e -> assertThat(e.maybeExecuted()).isFalse());
    }
}
