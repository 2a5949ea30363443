package dev.leasehold.internal.combine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.script.CombinedScript;
import dev.leasehold.internal.store.AcquireFreeLock;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.InspectLock;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.TokenFloor;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.TransportException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Requests that meet a call under way leave together when it returns, and each gets its own answer. */
class CombiningStoreTest {

    private static final long TIMEOUT = 1000;

    private final FakeStore server = new FakeStore();
    private final Clock clock = new Clock();
    private int mostCalls = 1;
    private final CombiningStore store =
            new CombiningStore(server, request -> !(request instanceof InspectLock), clock, () -> mostCalls);

    private static final class Clock implements TimeSource {
        private long now = 7;

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public long wallMillis() {
            return 0;
        }
    }

    private static LockKey key(String name) {
        return LockKey.of(new KeyPrefix("leasehold"), name);
    }

    private static AcquireFreeLock acquisition(String name, long token) {
        return new AcquireFreeLock(
                key(name),
                new AcquisitionId("id-" + name),
                new LeaseSpan(1),
                ServerTime.NONE,
                new TokenFloor(token),
                new Holder("17@host", "main", ""),
                TIMEOUT);
    }

    private CompletableFuture<AcquireHold.Answer> acquire(String name) {
        return store.send(acquisition(name, 0));
    }

    private CompletableFuture<ReleaseHold.Answer> release(String name) {
        return store.send(new ReleaseHold(
                key(name), new AcquisitionId("id-" + name), new LeaseSpan(1), true, ServerTime.NONE, TIMEOUT));
    }

    private FakeStore.Sent<?> call(int number) {
        return server.sent.get(number);
    }

    /** Returns the names of the locks of each call. */
    private List<List<String>> calls() {
        return server.sent.stream().map(FakeStore.Sent::names).toList();
    }

    @Test
    void aLoneRequestLeavesAtOnceAndItsCallerGetsTheStageOfItsCall() {
        CompletableFuture<AcquireHold.Answer> alone = acquire("a");
        assertThat(calls()).containsExactly(List.of("+a"));
        assertThat(alone).isSameAs(call(0));
        call(0).answerAll();
        CompletableFuture<ReleaseHold.Answer> next = release("a");
        assertThat(calls()).containsExactly(List.of("+a"), List.of("-a"));
        assertThat(next).isSameAs(call(1));
    }

    @Test
    void whatMeetsACallUnderWayLeavesTogetherWhenItReturns() {
        CompletableFuture<AcquireHold.Answer> first = acquire("a");
        CompletableFuture<ReleaseHold.Answer> b = release("b");
        CompletableFuture<AcquireHold.Answer> c = store.send(acquisition("c", 3));
        CompletableFuture<AcquireHold.Answer> d = store.send(acquisition("d", 4));
        assertThat(calls()).hasSize(1);
        call(0).answerAll();
        assertThat(first).isCompleted();
        assertThat(calls()).containsExactly(List.of("+a"), List.of("+c", "+d", "-b"));
        assertThat(List.of(b, c, d)).noneMatch(CompletableFuture::isDone);
        call(1).answerAll();
        assertThat(b).isCompletedWithValue(FakeStore.released());
        assertThat(c.join().token()).isEqualTo(3);
        assertThat(d.join().token()).isEqualTo(4);
    }

    @Test
    void theNextCallLeavesBeforeTheCallersOfTheLastAreWoken() {
        acquire("a");
        CompletableFuture<AcquireHold.Answer> b = acquire("b");
        CompletableFuture<AcquireHold.Answer> c = acquire("c");
        call(0).answerAll();
        acquire("d");
        List<Integer> calls = new ArrayList<>();
        b.thenRun(() -> calls.add(server.sent.size()));
        c.thenRun(() -> calls.add(server.sent.size()));
        call(1).answerAll();
        assertThat(calls).containsExactly(3, 3);
    }

    @Test
    void asManyCallsAreUnderWayAsTheLimitAllows() {
        mostCalls = 3;
        IntStream.range(0, 6).forEach(n -> acquire("lock-" + n));
        assertThat(calls()).containsExactly(List.of("+lock-0"), List.of("+lock-1"), List.of("+lock-2"));
        call(1).answerAll();
        assertThat(calls()).hasSize(4).last().isEqualTo(List.of("+lock-3", "+lock-4", "+lock-5"));
    }

    @Test
    void theLimitRisesByOneForEach100MicrosOfTheShortestRoundTripOfLate() {
        CallLimit limit = new CallLimit();
        assertThat(limit.getAsInt()).isEqualTo(1);
        limit.answered(1_050_000, false);
        assertThat(limit.getAsInt()).isEqualTo(11);
        limit.answered(40_000, false);
        assertThat(limit.getAsInt()).isEqualTo(1);
        limit.answered(1_050_000, true);
        assertThat(limit.getAsInt()).isEqualTo(1);
        IntStream.range(0, 500).forEach(n -> limit.answered(1_050_000, false));
        assertThat(limit.getAsInt()).isEqualTo(1);
        IntStream.range(0, 500).forEach(n -> limit.answered(1_050_000, true));
        assertThat(limit.getAsInt()).isEqualTo(11);
        limit.answered(Long.MAX_VALUE, false);
        IntStream.range(0, 500).forEach(n -> limit.answered(1_000_000_000_000L, true));
        assertThat(limit.getAsInt()).isEqualTo(1000);
    }

    @Test
    void requestsForOneLockLeaveInTheirOrderWithDifferentCalls() {
        acquire("a");
        release("b");
        acquire("c");
        acquire("b");
        acquire("d");
        call(0).answerAll();
        assertThat(calls()).last().isEqualTo(List.of("+c", "-b"));
        call(1).answerAll();
        assertThat(calls()).last().isEqualTo(List.of("+b", "+d"));
    }

    @Test
    void aCallHasALimitedNumberOfEntriesAndCharacters() {
        acquire("a");
        IntStream.range(0, 70).forEach(n -> acquire("lock-" + n));
        call(0).answerAll();
        assertThat(call(1).names()).hasSize(Batch.MOST_ENTRIES);
        IntStream.range(0, 70).forEach(n -> acquire(n + "x".repeat(500)));
        call(1).answerAll();
        assertThat(call(2).names()).hasSizeBetween(30, 40);
        call(2).answerAll();
        call(3).answerAll();
        call(4).answerAll();
        assertThat(calls().stream().mapToInt(List::size).sum()).isEqualTo(141);
    }

    @Test
    void otherRequestsPassTheQueue() {
        acquire("a");
        acquire("b");
        CompletableFuture<InspectLock.Answer> inspected = store.send(new InspectLock(key("b"), TIMEOUT));
        assertThat(inspected).isSameAs(call(1));
        List<CompletableFuture<?>> unused = store.sendAll(List.of(acquisition("c", 0)));
        assertThat(server.sent).hasSize(3);
        assertThat(store.shardOf("x")).isEqualTo("shard of x");
        store.close();
        assertThat(server.closed).isTrue();
    }

    @Test
    void aReleaseThatIsUndecidedIsSentAloneAndAnAcquisitionIsAnswered() {
        acquire("a");
        CompletableFuture<AcquireHold.Answer> b = acquire("b");
        CompletableFuture<ReleaseHold.Answer> c = release("c");
        CompletableFuture<ReleaseHold.Answer> d = release("d");
        call(0).answerAll();
        AcquireHold.Answer undecided = new AcquireHold.Answer(AcquireHold.Code.UNDECIDED, FakeStore.NOW, 0, 0, "");
        call(1).answer(new CombinedScript.Answer(
                FakeStore.NOW, List.of(undecided), List.of(Optional.empty(), Optional.of(FakeStore.released()))));
        assertThat(b).isCompletedWithValue(undecided);
        assertThat(d).isCompletedWithValue(FakeStore.released());
        assertThat(c).isNotDone();
        assertThat(calls()).last().isEqualTo(List.of("-c"));
        ReleaseHold.Answer gone = new ReleaseHold.Answer(ReleaseHold.Code.GONE, FakeStore.NOW, "free");
        call(2).answer(gone);
        assertThat(c).isCompletedWithValue(gone);
    }

    @Test
    void aCallThatRedisRefusesIsRepeatedEntryByEntry() {
        acquire("a");
        CompletableFuture<AcquireHold.Answer> b = acquire("b");
        CompletableFuture<ReleaseHold.Answer> c = release("c");
        CompletableFuture<ReleaseHold.Answer> d = release("d");
        call(0).answerAll();
        d.cancel(false);
        RedisErrorException refusal = new RedisErrorException("NOPERM no right to one of the keys");
        call(1).completeExceptionally(refusal);
        assertThat(calls().subList(2, calls().size())).containsExactly(List.of("+b"), List.of("-c"));
        call(2).completeExceptionally(refusal);
        call(3).answerAll();
        assertThat(b).isCompletedExceptionally();
        assertThat(c).isCompletedWithValue(FakeStore.released());
    }

    @Test
    void aCallWithoutAnAnswerFailsItsEntriesOnceAndWhatIsQueuedLeaves() {
        acquire("a");
        CompletableFuture<AcquireHold.Answer> b = acquire("b");
        CompletableFuture<ReleaseHold.Answer> c = release("c");
        call(0).answerAll();
        CompletableFuture<AcquireHold.Answer> d = acquire("d");
        TransportException lost = new TransportException("lost", true, null);
        call(1).completeExceptionally(lost);
        assertThat(b).isCompletedExceptionally();
        assertThat(c.handle((answer, failure) -> failure).join()).isSameAs(lost);
        assertThat(calls()).containsExactly(List.of("+a"), List.of("+b", "-c"), List.of("+d"));
        call(2).answerAll();
        assertThat(d).isCompleted();
        assertThat(server.sent).hasSize(3);
    }

    @Test
    void aLoneCallThatIsGivenUpLetsTheQueueLeave() {
        CompletableFuture<AcquireHold.Answer> a = acquire("a");
        acquire("b");
        a.cancel(false);
        assertThat(calls()).containsExactly(List.of("+a"), List.of("+b"));
    }

    @Test
    void aQueuedRequestThatIsGivenUpNeverLeavesAndPutsTheCallUnderWayInDoubt() {
        acquire("a");
        CompletableFuture<AcquireHold.Answer> b = acquire("b");
        acquire("c");
        b.cancel(false);
        assertThat(call(0).doubts).isEqualTo(1);
        assertThat(call(0)).isNotDone();
        call(0).answerAll();
        assertThat(calls()).containsExactly(List.of("+a"), List.of("+c"));
    }

    @Test
    void anEntryThatIsGivenUpPutsItsCallInDoubtAndTheOthersGetTheirAnswers() {
        acquire("a");
        CompletableFuture<AcquireHold.Answer> b = acquire("b");
        CompletableFuture<AcquireHold.Answer> c = acquire("c");
        call(0).answerAll();
        b.cancel(false);
        assertThat(call(1).doubts).isEqualTo(1);
        assertThat(call(1)).isNotDone();
        call(1).answerAll();
        assertThat(c).isCompleted();
        assertThat(b).isCancelled();
    }

    @Test
    void aCallThatAllItsCallersHaveGivenUpIsCancelledAndTheQueueLeaves() {
        acquire("a");
        CompletableFuture<AcquireHold.Answer> b = acquire("b");
        CompletableFuture<ReleaseHold.Answer> c = release("c");
        call(0).answerAll();
        acquire("d");
        b.cancel(false);
        c.cancel(false);
        assertThat(call(1)).isCancelled();
        assertThat(calls()).last().isEqualTo(List.of("+d"));
    }

    @Test
    void aRequestThatWasQueuedAloneIsCancelledWithItsCall() {
        acquire("a");
        CompletableFuture<AcquireHold.Answer> b = acquire("b");
        call(0).answerAll();
        assertThat(b).isNotSameAs(call(1));
        b.cancel(false);
        assertThat(call(1)).isCancelled();
    }

    @Test
    void aRequestWhoseTimeIsOverIsNotSent() {
        acquire("a");
        CompletableFuture<AcquireHold.Answer> b = acquire("b");
        clock.now += TIMEOUT;
        CompletableFuture<AcquireHold.Answer> c = acquire("c");
        call(0).answerAll();
        assertThat(calls()).containsExactly(List.of("+a"), List.of("+c"));
        Object failure = b.handle((answer, problem) -> problem).join();
        assertThat(failure).isInstanceOf(TransportException.class);
        assertThat(((TransportException) failure).maybeExecuted()).isFalse();
        assertThat(c).isNotDone();
    }

    @Test
    void aCallThatNobodyWaitsForAnyMoreKeepsNoOtherBack() {
        acquire("a");
        clock.now += 2 * TIMEOUT + 1;
        acquire("b");
        assertThat(call(0)).isCancelled();
        assertThat(calls()).containsExactly(List.of("+a"), List.of("+b"));
    }

    @Test
    void anAnswerWithinTheCallLeavesNothingUnderWay() {
        server.onSend = FakeStore.Sent::answerAll;
        for (int n = 0; n < 3; n++) {
            assertThat(store.send(acquisition("a", n)).join().token()).isEqualTo(n);
        }
        assertThat(calls()).hasSize(3);
    }

    @Test
    void aStoreThatThrowsFailsTheRequestAndKeepsNoPlace() {
        server.onSend = sent -> {
            throw new IllegalStateException("a bug");
        };
        assertThat(acquire("a")).isCompletedExceptionally();
        assertThat(acquire("b")).isCompletedExceptionally();
    }
}
