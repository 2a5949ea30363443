package dev.leasehold.internal.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Durability;
import dev.leasehold.LockOptions;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.internal.engine.EngineParts;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.engine.VirtualTime;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.DurableReply;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.ServerDescription.Capability;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Findings 6 and 23: requests for replicas are sent in groups, and each succeeds by its own number of acknowledgements. */
class ReplicatedSenderTest {

    private static final long SECOND = 1_000_000_000;

    private final VirtualTime time = new VirtualTime();
    private final Groups groups = new Groups();
    private final ReplicatedSender sender = new ReplicatedSender(
            groups,
            time,
            time,
            new BatchSender(groups, time, time, Runnable::run),
            new Limits(Duration.ofSeconds(2), Duration.ofSeconds(10), Duration.ofDays(1), Duration.ofMinutes(1)));

    /** A group of requests that were sent together. */
    private record Group(List<String> names, boolean onDisk, int replicas, long millis, List<Answer> answers) {

        void all(String reply, long acknowledged) {
            answers.forEach(answer -> {
                answer.reply.complete(List.of(reply));
                answer.replicas.complete(acknowledged);
            });
        }
    }

    private record Answer(CompletableFuture<List<String>> reply, CompletableFuture<Long> replicas) {}

    /** A transport that records groups and nothing else. */
    private static final class Groups implements RedisTransport {
        private final List<Group> sent = new ArrayList<>();

        @Override
        public List<DurableReply> evalDurably(List<ScriptCall> calls, boolean onDisk, int replicas, long withinMillis) {
            List<Answer> answers = Stream.generate(
                            () -> new Answer(new CompletableFuture<>(), new CompletableFuture<>()))
                    .limit(calls.size())
                    .toList();
            List<String> names =
                    calls.stream().map(call -> call.script().name()).toList();
            sent.add(new Group(names, onDisk, replicas, withinMillis, answers));
            return answers.stream()
                    .map(answer -> new DurableReply(answer.reply, answer.replicas))
                    .toList();
        }

        @Override
        public String shardOf(String key) {
            return key.substring(0, 1);
        }

        @Override
        public List<CompletionStage<List<String>>> evalBatch(List<ScriptCall> calls) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<List<String>> eval(ScriptCall call) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<ServerDescription> describe() {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Object> command(RedisNode node, List<String> args) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }

    private CompletableFuture<List<String>> send(String name, int replicas, long withinMillis) {
        return send(name, "a", replicas, withinMillis, 2 * SECOND, false);
    }

    private CompletableFuture<List<String>> send(
            String name, String key, int replicas, long withinMillis, long timeoutNanos, boolean renewal) {
        ScriptCall call = new ScriptCall(new Script(name, "", ""), List.of(key), List.of(), timeoutNanos);
        return sender.send(call, Durability.replicas(replicas, Duration.ofMillis(withinMillis)), renewal);
    }

    @Test
    void requestsThatArriveDuringAWaitFormAGroupWithRenewalsFirst() {
        send("first", 1, 300);
        send("second", 2, 300);
        send("third", 1, 200);
        send("renewal", "a", 1, 300, 2 * SECOND, true);
        assertThat(groups.sent).hasSize(1);
        assertThat(groups.sent.get(0).names()).containsExactly("first");
        groups.sent.get(0).all("granted", 1);
        Group next = groups.sent.get(1);
        assertThat(next.names()).containsExactly("renewal", "second", "third");
        assertThat(next.replicas()).as("the largest number").isEqualTo(2);
        assertThat(next.millis()).as("the shortest time left").isEqualTo(200);
        assertThat(groups.sent).hasSize(2);
    }

    @Test
    void eachGrantNeedsItsOwnNumberOfReplicasAndOtherAnswersNeedNone() {
        send("first", 1, 300);
        CompletableFuture<List<String>> one = send("one", 1, 300);
        CompletableFuture<List<String>> two = send("two", 2, 300);
        CompletableFuture<List<String>> busy = send("busy", 2, 300);
        groups.sent.get(0).all("granted", 1);
        List<Answer> answers = groups.sent.get(1).answers();
        answers.get(2).reply().complete(List.of("busy"));
        assertThat(busy).isCompletedWithValue(List.of("busy"));
        answers.get(0).reply().complete(List.of("granted"));
        answers.get(1).reply().complete(List.of("granted"));
        assertThat(one).isNotDone();
        answers.forEach(answer -> answer.replicas().complete(1L));
        assertThat(one).isCompletedWithValue(List.of("granted"));
        TooFewAcknowledged few = tooFew(two);
        assertThat(few.acknowledged).isEqualTo(1);
        assertThat(few.wanted).isEqualTo(2);
    }

    @Test
    void aGrantThatIsOneStringNeedsItsReplicas() {
        CompletableFuture<List<String>> one = send("one", 1, 300);
        Answer answer = groups.sent.get(0).answers().get(0);
        answer.reply().complete(List.of("granted 5"));
        assertThat(one).isNotDone();
        answer.replicas().complete(0L);
        assertThat(tooFew(one).acknowledged).isZero();
    }

    @Test
    void aRequestThatMayWaitLongerThanItsGroupIsSentAgain() {
        send("first", 1, 300);
        CompletableFuture<List<String>> longer = send("longer", 1, 300);
        CompletableFuture<List<String>> shorter = send("shorter", 1, 100);
        groups.sent.get(0).all("granted", 1);
        groups.sent.get(1).all("granted", 0);
        assertThat(tooFew(shorter)).hasMessageContaining("0 of 1").hasMessageContaining("100 ms");
        assertThat(longer).isNotDone();
        Group again = groups.sent.get(2);
        assertThat(again.names()).containsExactly("longer");
        assertThat(again.millis()).as("the time it has left").isEqualTo(200);
        again.all("granted", 0);
        assertThat(tooFew(longer)).hasMessageContaining("300 ms");
        assertThat(groups.sent).hasSize(3);
    }

    private static TooFewAcknowledged tooFew(CompletableFuture<?> failed) {
        TransportException failure =
                (TransportException) failed.handle((reply, e) -> e).join();
        assertThat(failure.maybeExecuted()).isTrue();
        return TooFewAcknowledged.of(failure);
    }

    @Test
    void aRefusedCountIsTooFewAndAnErrorOfTheScriptIsThatError() {
        CompletableFuture<List<String>> uncounted = send("x", 1, 300);
        groups.sent.get(0).answers().get(0).reply().complete(List.of("renewed"));
        groups.sent.get(0).answers().get(0).replicas().completeExceptionally(new RedisErrorException("ERR no WAIT"));
        assertThat(tooFew(uncounted).acknowledged).isEqualTo(-1);
        CompletableFuture<List<String>> full = send("y", 1, 300);
        groups.sent.get(1).answers().get(0).reply().completeExceptionally(new RedisErrorException("OOM full"));
        assertThatThrownBy(full::join).hasCauseInstanceOf(RedisErrorException.class);
    }

    @Test
    void aGroupWithoutAnAnswerFailsInTimeForItsRenewalsAndTheNextGroupIsSent() {
        send("first", 1, 100);
        CompletableFuture<List<String>> renewal = send("renewal", "a", 1, 100, SECOND / 2, true);
        CompletableFuture<List<String>> other = send("other", 1, 100);
        groups.sent.get(0).all("granted", 1);
        CompletableFuture<List<String>> later = send("later", 1, 100);
        time.pass(Duration.ofMillis(501));
        assertThat(renewal).isCompletedExceptionally();
        assertThat(other).isCompletedExceptionally();
        assertThat(groups.sent.get(1).answers())
                .allSatisfy(answer -> assertThat(answer.reply()).isCancelled());
        groups.sent.get(2).all("granted", 1);
        assertThat(later).isCompletedWithValue(List.of("granted"));
    }

    @Test
    void aRequestWhoseTimeIsOverIsNotSentAndNoRequestWaitsForReplicasUntilItsDeadline() {
        send("first", 1, 300);
        CompletableFuture<List<String>> late = send("late", "a", 1, 300, SECOND / 10, false);
        CompletableFuture<List<String>> tight = send("tight", "a", 1, 300, SECOND / 4, false);
        time.pass(Duration.ofMillis(150));
        groups.sent.get(0).all("granted", 1);
        assertThat(late).isCompletedExceptionally();
        assertThat(groups.sent.get(1).names()).containsExactly("tight");
        assertThat(groups.sent.get(1).millis()).isBetween(60L, 90L);
        assertThat(tight).isNotDone();
    }

    @Test
    void shardsDoNotWaitForOneAnother() {
        send("here", "a", 1, 300, SECOND, false);
        send("there", "b", 1, 300, SECOND, false);
        assertThat(groups.sent).extracting(Group::names).containsExactly(List.of("here"), List.of("there"));
    }

    @Test
    void anAdapterThatCannotWaitForReplicasRefusesTheOption() {
        LockOptions options =
                LockOptions.builder().replicas(1, Duration.ofMillis(100)).build();
        assertThatThrownBy(() -> new EngineRig().engine.check(options))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("replicas(1, PT0.1S)")
                .hasMessageContaining("cannot wait for replicas")
                .hasMessageContaining("leave replicas out");
    }

    private CompletableFuture<List<String>> sendToDisk(String name, int replicas) {
        ScriptCall call = new ScriptCall(new Script(name, "", ""), List.of("a"), List.of(), 2 * SECOND);
        return sender.send(call, Durability.onDisk(replicas, Duration.ofMillis(300)), false);
    }

    @Test
    void requestsForDisksFormTheirOwnGroupsAndThePrimaryCountsToo() {
        send("replicated", 1, 300);
        CompletableFuture<List<String>> alone = sendToDisk("alone", 0);
        assertThat(groups.sent).extracting(Group::onDisk).containsExactly(false, true);
        CompletableFuture<List<String>> beside = sendToDisk("beside", 1);
        CompletableFuture<List<String>> neither = sendToDisk("neither", 0);
        groups.sent.get(1).all("granted", 1);
        assertThat(alone).isCompletedWithValue(List.of("granted"));
        Group both = groups.sent.get(2);
        assertThat(both.replicas()).isEqualTo(1);
        both.answers().forEach(answer -> answer.reply.complete(List.of("granted")));
        both.answers().get(0).replicas.complete(1L);
        both.answers().get(1).replicas.complete(0L);
        assertThat(tooFew(beside)).hasMessageContaining("1 of 2 servers had it on disk within 300 ms");
        assertThat(tooFew(neither)).hasMessageContaining("0 of 1 servers");
    }

    @Test
    void aRefusedCountOfDisksNamesTheRemedy() {
        CompletableFuture<List<String>> uncounted = sendToDisk("x", 0);
        groups.sent.get(0).answers().get(0).reply().complete(List.of("granted"));
        groups.sent
                .get(0)
                .answers()
                .get(0)
                .replicas()
                .completeExceptionally(new RedisErrorException("ERR WAITAOF cannot be used"));
        TooFewAcknowledged few = tooFew(uncounted);
        assertThat(few.acknowledged).isEqualTo(-1);
        assertThat(DurabilityMessages.tooFewReplicas(LockKey.of(EngineRig.PREFIX, "x"), few))
                .hasMessageContaining("WAITAOF cannot be used")
                .hasMessageContaining("appendonly yes")
                .hasMessageContaining("+waitaof");
    }

    @Test
    void aServerWithoutWaitaofRefusesTheOptionAndItsVersionIsNamed() {
        LockOptions options =
                LockOptions.builder().onDisk(0, Duration.ofSeconds(2)).build();
        assertThatThrownBy(() -> new EngineRig().engine.check(options))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("onDisk(0, PT2S)")
                .hasMessageContaining("cannot wait for disks");
        assertThatThrownBy(() -> engine("7.0.15", Capability.WAITS_FOR_REPLICAS).check(options))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("onDisk(0, PT2S)")
                .hasMessageContaining("no WAITAOF")
                .hasMessageContaining("its version is 7.0.15")
                .hasMessageContaining("replicas(...)");
        engine("7.2.0", Capability.WAITS_FOR_REPLICAS, Capability.WAITS_FOR_DISKS)
                .check(options);
    }

    private static Engine engine(String version, Capability... capabilities) {
        EngineRig rig = new EngineRig();
        EngineParts parts = rig.parts(rig.redis, Runnable::run, Runnable::run, true, EngineRig.limits());
        return new Engine(EngineRig.with(parts, version, Set.of(capabilities)));
    }
}
