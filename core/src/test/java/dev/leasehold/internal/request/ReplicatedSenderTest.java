package dev.leasehold.internal.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Durability;
import dev.leasehold.LockOptions;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.engine.VirtualTime;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.lock.OptionsCheck;
import dev.leasehold.internal.store.LockRequest;
import dev.leasehold.internal.store.StoreRequest;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.ServerDescription.Capability;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
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

    /** A request that is named as its sender wishes, and is granted by the answers that a lock would be granted by. */
    private record Named(String name, LockKey key, long timeoutNanos, boolean prolongs) implements LockRequest<String> {
        @Override
        public boolean grants(String answer) {
            return Set.of("granted", "renewed").contains(answer);
        }
    }

    /** A group of requests that were sent together. */
    private record Group(List<String> names, boolean onDisk, int replicas, long millis, List<Answer> answers) {

        void all(String answer, long acknowledged) {
            answers.forEach(each -> {
                each.answer.complete(answer);
                each.replicas.complete(acknowledged);
            });
        }
    }

    private record Answer(CompletableFuture<String> answer, CompletableFuture<Long> replicas) {}

    /** A store that records groups and nothing else. */
    private static final class Groups extends UnusedStore {
        private final List<Group> sent = new ArrayList<>();

        @Override
        public List<Durable<?>> sendDurably(
                List<? extends StoreRequest<?>> requests, boolean onDisk, int replicas, long withinMillis) {
            List<Answer> answers = Stream.generate(
                            () -> new Answer(new CompletableFuture<>(), new CompletableFuture<>()))
                    .limit(requests.size())
                    .toList();
            List<String> names =
                    requests.stream().map(request -> ((Named) request).name()).toList();
            sent.add(new Group(names, onDisk, replicas, withinMillis, answers));
            List<Durable<?>> results = new ArrayList<>();
            answers.forEach(each -> results.add(new Durable<>(each.answer, each.replicas)));
            return results;
        }

        @Override
        public String shardOf(String key) {
            return key;
        }
    }

    private CompletableFuture<String> send(String name, int replicas, long withinMillis) {
        return send(name, "a", replicas, withinMillis, 2 * SECOND, false);
    }

    private CompletableFuture<String> send(
            String name, String key, int replicas, long withinMillis, long timeoutNanos, boolean renewal) {
        Named request = new Named(name, LockKey.of(EngineRig.PREFIX, key), timeoutNanos, renewal);
        return sender.send(request, Durability.replicas(replicas, Duration.ofMillis(withinMillis)));
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
        CompletableFuture<String> one = send("one", 1, 300);
        CompletableFuture<String> two = send("two", 2, 300);
        CompletableFuture<String> busy = send("busy", 2, 300);
        groups.sent.get(0).all("granted", 1);
        List<Answer> answers = groups.sent.get(1).answers();
        answers.get(2).answer().complete("busy");
        assertThat(busy).isCompletedWithValue("busy");
        answers.get(0).answer().complete("granted");
        answers.get(1).answer().complete("granted");
        assertThat(one).isNotDone();
        answers.forEach(answer -> answer.replicas().complete(1L));
        assertThat(one).isCompletedWithValue("granted");
        TooFewAcknowledged few = tooFew(two);
        assertThat(few.acknowledged).isEqualTo(1);
        assertThat(few.wanted).isEqualTo(2);
    }

    /** Found by the simulation: the caller learned that nothing is held, and Redis held the lock. */
    @Test
    void aGrantThatTooFewReplicasAcknowledgedMayBeHeldWhateverItsRepeatIsAnswered() {
        send("first", 1, 300);
        CompletableFuture<String> repeated = send("repeated", 1, 300);
        send("shorter", 1, 100);
        groups.sent.get(0).all("granted", 1);
        groups.sent.get(1).all("granted", 0);
        RedisErrorException loading = new RedisErrorException("LOADING Redis is loading the dataset in memory");
        groups.sent.get(2).answers().forEach(answer -> answer.answer().completeExceptionally(loading));
        assertThatThrownBy(repeated::join).cause().isInstanceOfSatisfying(TransportException.class, failure -> {
            assertThat(failure.maybeExecuted()).isTrue();
            assertThat(failure).hasMessageContaining("LOADING");
        });
    }

    /** Found by the simulation: a repeat of a request for a free lock does not find its own hold. */
    @Test
    void aGrantThatTooFewReplicasAcknowledgedMayBeHeldThoughItsRepeatIsNotGranted() {
        send("first", 1, 300);
        CompletableFuture<String> repeated = send("repeated", 1, 300);
        CompletableFuture<String> renewal = send("renewal", "a", 1, 300, SECOND, true);
        send("shorter", 1, 100);
        groups.sent.get(0).all("granted", 1);
        groups.sent.get(1).all("granted", 0);
        groups.sent.get(2).answers().forEach(answer -> answer.answer().complete("undecided"));
        assertThatThrownBy(repeated::join)
                .cause()
                .isInstanceOfSatisfying(
                        TransportException.class,
                        failure -> assertThat(failure.maybeExecuted()).isTrue());
        assertThat(renewal).isCompletedWithValue("undecided");
    }

    @Test
    void aRequestThatMayWaitLongerThanItsGroupIsSentAgain() {
        send("first", 1, 300);
        CompletableFuture<String> longer = send("longer", 1, 300);
        CompletableFuture<String> shorter = send("shorter", 1, 100);
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

    @Test
    void whoHadLessTimeThanAllowedLearnsBoth() {
        CompletableFuture<String> shortOfTime = send("x", 1, 10_000);
        time.pass(Duration.ofMillis(groups.sent.get(0).millis()));
        groups.sent.get(0).all("granted", 0);
        assertThat(tooFew(shortOfTime))
                .hasMessage("0 of 1 replicas acknowledged it within "
                        + groups.sent.get(0).millis() + " ms, which was left of 10000 ms");
    }

    @Test
    void whoGotNoAnswerInTimeLearnsThatItWaitedForReplicas() {
        Durability replica =
                LockOptions.builder().replicas(1, Duration.ofSeconds(2)).build().durability();
        LockKey key = LockKey.of(EngineRig.PREFIX, "x");
        assertThat(RefusalMessages.noAnswer(key, true, null, Duration.ZERO, replica))
                .hasMessageEndingWith("Check that Redis is up and reachable, and so are the replicas for which"
                        + " replicas(1, PT2S) waits, and try again");
        assertThat(RefusalMessages.noAnswer(key, true, null, Duration.ZERO, Durability.none()))
                .hasMessageEndingWith("Check that Redis is up and reachable, and try again");
    }

    private static TooFewAcknowledged tooFew(CompletableFuture<?> failed) {
        TransportException failure =
                (TransportException) failed.handle((reply, e) -> e).join();
        assertThat(failure.maybeExecuted()).isTrue();
        return TooFewAcknowledged.of(failure);
    }

    @Test
    void aRefusedCountIsTooFewAndAnErrorOfTheScriptIsThatError() {
        CompletableFuture<String> uncounted = send("x", 1, 300);
        groups.sent.get(0).answers().get(0).answer().complete("renewed");
        groups.sent.get(0).answers().get(0).replicas().completeExceptionally(new RedisErrorException("ERR no WAIT"));
        assertThat(tooFew(uncounted).acknowledged).isEqualTo(-1);
        CompletableFuture<String> full = send("y", 1, 300);
        groups.sent.get(1).answers().get(0).answer().completeExceptionally(new RedisErrorException("OOM full"));
        assertThatThrownBy(full::join).hasCauseInstanceOf(RedisErrorException.class);
    }

    @Test
    void aGroupWithoutAnAnswerFailsInTimeForItsRenewalsAndTheNextGroupIsSent() {
        send("first", 1, 100);
        CompletableFuture<String> renewal = send("renewal", "a", 1, 100, SECOND / 2, true);
        CompletableFuture<String> other = send("other", 1, 100);
        groups.sent.get(0).all("granted", 1);
        CompletableFuture<String> later = send("later", 1, 100);
        time.pass(Duration.ofMillis(501));
        assertThat(renewal).isCompletedExceptionally();
        assertThat(other).isCompletedExceptionally();
        assertThat(groups.sent.get(1).answers())
                .allSatisfy(answer -> assertThat(answer.answer()).isCancelled());
        groups.sent.get(2).all("granted", 1);
        assertThat(later).isCompletedWithValue("granted");
    }

    @Test
    void aRequestWhoseTimeIsOverIsNotSentAndNoRequestWaitsForReplicasUntilItsDeadline() {
        send("first", 1, 300);
        CompletableFuture<String> late = send("late", "a", 1, 300, SECOND / 10, false);
        CompletableFuture<String> tight = send("tight", "a", 1, 300, SECOND / 4, false);
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
        assertThatThrownBy(() -> server("").check(options))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("replicas(1, PT0.1S)")
                .hasMessageContaining("cannot wait for replicas")
                .hasMessageContaining("leave replicas out");
    }

    private CompletableFuture<String> sendToDisk(String name, int replicas) {
        Named request = new Named(name, LockKey.of(EngineRig.PREFIX, "a"), 2 * SECOND, false);
        return sender.send(request, Durability.onDisk(replicas, Duration.ofMillis(300)));
    }

    @Test
    void requestsForDisksFormTheirOwnGroupsAndThePrimaryCountsToo() {
        send("replicated", 1, 300);
        CompletableFuture<String> alone = sendToDisk("alone", 0);
        assertThat(groups.sent).extracting(Group::onDisk).containsExactly(false, true);
        CompletableFuture<String> beside = sendToDisk("beside", 1);
        CompletableFuture<String> neither = sendToDisk("neither", 0);
        groups.sent.get(1).all("granted", 1);
        assertThat(alone).isCompletedWithValue("granted");
        Group both = groups.sent.get(2);
        assertThat(both.replicas()).isEqualTo(1);
        both.answers().forEach(answer -> answer.answer.complete("granted"));
        both.answers().get(0).replicas.complete(1L);
        both.answers().get(1).replicas.complete(0L);
        assertThat(tooFew(beside)).hasMessageContaining("1 of 2 servers had it on disk within 300 ms");
        assertThat(tooFew(neither)).hasMessageContaining("0 of 1 servers");
    }

    @Test
    void aRefusedCountOfDisksNamesTheRemedy() {
        CompletableFuture<String> uncounted = sendToDisk("x", 0);
        groups.sent.get(0).answers().get(0).answer().complete("granted");
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
        assertThatThrownBy(() -> server("").check(options))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("onDisk(0, PT2S)")
                .hasMessageContaining("cannot wait for disks");
        assertThatThrownBy(() -> server("7.0.15", Capability.WAITS_FOR_REPLICAS).check(options))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("onDisk(0, PT2S)")
                .hasMessageContaining("no WAITAOF")
                .hasMessageContaining("its version is 7.0.15")
                .hasMessageContaining("replicas(...)");
        server("7.2.0", Capability.WAITS_FOR_REPLICAS, Capability.WAITS_FOR_DISKS)
                .check(options);
        // A server that is not known yet may be able to.
        new OptionsCheck(EngineRig.limits(), ServerFeatures.unknown()).check(options);
    }

    private static OptionsCheck server(String version, Capability... capabilities) {
        return new OptionsCheck(EngineRig.limits(), ServerFeatures.of(version, Set.of(capabilities)));
    }

    /** Of the two answers, that to the script says that the hold is there; nobody knows who else has it. */
    @Test
    void aServerThatBecomesAReplicaWhileItCountsGaveNoAnswer() {
        CompletableFuture<String> acquire = send("first", 1, 300);
        Answer answer = groups.sent.get(0).answers().get(0);
        answer.answer().complete("granted");
        answer.replicas()
                .completeExceptionally(new RedisErrorException("UNBLOCKED force unblock from blocking operation,"
                        + " instance state changed (master -> replica?)"));
        assertThatThrownBy(acquire::join).cause().isInstanceOfSatisfying(TransportException.class, failure -> {
            assertThat(failure.maybeExecuted()).isTrue();
            assertThat(TooFewAcknowledged.of(failure)).isNull();
        });
    }
}
