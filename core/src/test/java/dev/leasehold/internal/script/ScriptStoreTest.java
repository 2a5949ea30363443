package dev.leasehold.internal.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.store.AcquireFreeLock;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.AnswerFuture;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.LockRequest;
import dev.leasehold.internal.store.LockStore;
import dev.leasehold.internal.store.RenewHold;
import dev.leasehold.internal.store.RenewHolds;
import dev.leasehold.internal.store.ServerClocks;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.StoreRequest;
import dev.leasehold.internal.store.TokenFloor;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.DurableReply;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Requests become calls of scripts, and replies become answers. A failure of one request of a batch affects no other. */
class ScriptStoreTest {

    private static final LockKey KEY = LockKey.of(new KeyPrefix("leasehold"), "a");
    private static final LockKey OTHER = LockKey.of(new KeyPrefix("leasehold"), "b");
    private static final AcquisitionId ID = new AcquisitionId("the id");
    private static final LeaseSpan LEASE = new LeaseSpan(3_000);
    private static final RenewHold RENEWAL = new RenewHold(KEY, ID, LEASE, 99);
    private static final ScriptBindings SCRIPTS = new ScriptBindings(new TokenMemory(Duration.ofSeconds(60)), true);

    private final Port port = new Port();
    private final LockStore store = new ScriptStore(port, SCRIPTS);

    /** A request that no script serves. */
    private record AskTheOracle(long timeoutNanos) implements StoreRequest<String> {}

    /** Keeps each reply open until a test gives it. */
    private static final class Port implements RedisTransport {
        private final List<ScriptCall> calls = new ArrayList<>();
        private final List<CompletableFuture<List<String>>> replies = new ArrayList<>();
        private final CompletableFuture<Long> replicas = new CompletableFuture<>();
        private int most = Integer.MAX_VALUE;
        private RuntimeException failure;

        @Override
        public CompletionStage<List<String>> eval(ScriptCall call) {
            if (failure != null) {
                throw failure;
            }
            CompletableFuture<List<String>> reply = new CompletableFuture<>();
            calls.add(call);
            replies.add(reply);
            return reply;
        }

        @Override
        public List<CompletionStage<List<String>>> evalBatch(List<ScriptCall> batch) {
            return batch.stream().limit(most).map(this::eval).toList();
        }

        @Override
        public List<DurableReply> evalDurably(List<ScriptCall> batch, boolean onDisk, int wanted, long withinMillis) {
            return batch.stream()
                    .map(call -> new DurableReply(eval(call), replicas))
                    .toList();
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

        /** The keys are of two shards. */
        @Override
        public String shardOf(String key) {
            return key.equals(KEY.key()) ? "A" : "B";
        }

        @Override
        public void close() {}
    }

    private static Throwable failureOf(CompletableFuture<?> answer) {
        assertThat(answer).isCompletedExceptionally();
        return answer.handle((value, failure) -> failure).join();
    }

    @Test
    void aReplyIsReadAsTheAnswerToItsRequest() {
        CompletableFuture<RenewHold.Answer> answer = store.send(RENEWAL);
        assertThat(port.calls.get(0).script()).isSameAs(RenewScript.SCRIPT);
        assertThat(answer).isNotDone();
        port.replies.get(0).complete(List.of("renewed", "7", "3"));
        assertThat(answer)
                .isCompletedWithValue(new RenewHold.Answer(RenewHold.Code.RENEWED, new ServerTime(7), 3_000, ""));
    }

    /** The transport suspects a silent connection only if its own future is cancelled. */
    @Test
    void theCancellationOfAnAnswerCancelsTheCallBeneath() {
        assertThat(store.send(RENEWAL).cancel(false)).isTrue();
        assertThat(store.sendAll(List.of(RENEWAL)).get(0).cancel(false)).isTrue();
        LockStore.Durable<?> durable =
                store.sendDurably(List.of(RENEWAL), false, 1, 10).get(0);
        assertThat(durable.answer().cancel(false)).isTrue();
        assertThat(durable.replicas().cancel(false)).isTrue();
        assertThat(port.replies).hasSize(3).allMatch(CompletableFuture::isCancelled);
        assertThat(port.replicas).isCancelled();
    }

    @Test
    void aFailureOfTheTransportIsThatOfTheAnswer() {
        CompletableFuture<RenewHold.Answer> refused = store.send(RENEWAL);
        RedisErrorException error = new RedisErrorException("OOM full");
        port.replies.get(0).completeExceptionally(error);
        assertThat(failureOf(refused)).isSameAs(error);
        assertThat(AnswerFuture.isUnreadable(error)).isFalse();
        port.failure = new IllegalStateException("broken");
        assertThat(failureOf(store.send(RENEWAL))).isSameAs(port.failure);
        assertThat(failureOf(store.sendAll(List.of(RENEWAL, RENEWAL)).get(1))).isSameAs(port.failure);
        LockStore.Durable<?> durable =
                store.sendDurably(List.of(RENEWAL), false, 1, 10).get(0);
        assertThat(failureOf(durable.answer())).isSameAs(port.failure);
        assertThat(failureOf(durable.replicas())).isSameAs(port.failure);
    }

    @Test
    void anAnswerThatCannotBeReadLeavesTheOutcomeUnknownAndFailsOnlyItsRequest() {
        List<CompletableFuture<?>> answers = store.sendAll(List.of(RENEWAL, RENEWAL, RENEWAL));
        port.replies.get(0).complete(List.of("renewed", "7", "3"));
        port.replies.get(1).complete(List.of("surprise", "7"));
        port.replies.get(2).complete(List.of("renewed", "7", "3"));
        assertThat(answers.get(0)).isCompleted();
        assertThat(answers.get(2)).isCompleted();
        Throwable failure = failureOf(answers.get(1));
        assertThat(failure)
                .hasMessageContaining("the answer could not be parsed")
                .hasMessageContaining("surprise")
                .isInstanceOfSatisfying(
                        TransportException.class,
                        unreadable -> assertThat(unreadable.maybeExecuted()).isTrue());
        assertThat(AnswerFuture.isUnreadable(failure)).isTrue();
    }

    @Test
    void anEntryThatCannotBeReadFailsAlone() {
        RenewHolds both =
                new RenewHolds(LEASE, List.of(new RenewHolds.Entry(KEY, ID), new RenewHolds.Entry(OTHER, ID)), 99);
        CompletableFuture<RenewHolds.Answer> answer = store.send(both);
        port.replies.get(0).complete(List.of("each", "7", "surprise", "", "renewed", "3"));
        RenewHolds.Answer each = answer.join();
        assertThat(each.results().get(0).failure()).hasMessageContaining("surprise");
        assertThat(each.results().get(1).orThrow().leftNanos()).isEqualTo(3_000);
    }

    @Test
    void aRequestThatNoScriptServesIsRefusedInWordsAndFailsAlone() {
        List<CompletableFuture<?>> answers = store.sendAll(List.of(new AskTheOracle(99), RENEWAL));
        assertThat(port.calls).hasSize(1);
        port.replies.get(0).complete(List.of("renewed", "7", "3"));
        assertThat(answers.get(1)).isCompleted();
        assertThat(failureOf(answers.get(0)))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("ask the oracle");
        assertThat(failureOf(store.send(new AskTheOracle(99)))).hasMessageContaining("ask the oracle");
        assertThat(failureOf(store.sendDurably(List.of(new AskTheOracle(99)), false, 1, 10)
                        .get(0)
                        .answer()))
                .hasMessageContaining("ask the oracle");
        assertThat(port.calls).hasSize(1);
    }

    @Test
    void aTransportThatReturnsTooFewRepliesFailsOnlyTheRequestsWithoutOne() {
        port.most = 1;
        List<CompletableFuture<?>> answers = store.sendAll(List.of(RENEWAL, RENEWAL));
        port.replies.get(0).complete(List.of("renewed", "7", "3"));
        assertThat(answers.get(0)).isCompleted();
        assertThat(answers.get(1)).isCompletedExceptionally();
    }

    @Test
    void aSingleHoldOfManyIsRenewedByTheScriptForOne() {
        CompletableFuture<RenewHolds.Answer> answer =
                store.send(new RenewHolds(LEASE, List.of(new RenewHolds.Entry(KEY, ID)), 99));
        assertThat(port.calls.get(0)).isEqualTo(SCRIPTS.call(RENEWAL));
        port.replies.get(0).complete(List.of("asked", "7", "3"));
        assertThat(answer.join().results().get(0).orThrow().code()).isEqualTo(RenewHold.Code.ASKED);
    }

    /** The replicas of a hold that nobody knows of would not be awaited. */
    @Test
    void everyGrantNeedsItsReplicasAlsoIfItIsOneString() {
        AcquireFreeLock free =
                new AcquireFreeLock(KEY, ID, LEASE, new ServerTime(4), new TokenFloor(5), new Holder("", "", ""), 99);
        assertThat(grants(free, "granted 5")).isTrue();
        assertThat(grants(free, "busy", "5", "7")).isFalse();
        assertThat(grants(RENEWAL, "renewed", "7", "3")).isTrue();
        assertThat(grants(RENEWAL, "asked", "7", "3")).isTrue();
        assertThat(grants(RENEWAL, "gone", "7", "free")).isFalse();
        assertThat(free.grants(new AcquireHold.Answer(AcquireHold.Code.UNDECIDED, new ServerTime(7), 0, 0, "")))
                .isFalse();
    }

    private static <A> boolean grants(LockRequest<A> request, String... reply) {
        return request.grants(SCRIPTS.read(request, List.of(reply)));
    }

    /** One node of a cluster is an hour ahead: what it answers says nothing about the clock of another. */
    @Test
    void eachShardHasAClockOfItsOwn() {
        ServerTime first = new ServerTime(1_000_000_000_000L);
        LockStore timed = new ScriptStore(port, SCRIPTS, new ServerClocks(TimeSource.system(), first, 0));
        ServerTime before = timed.serverTimeAt(OTHER.key(), 0);
        CompletableFuture<?> answer = timed.send(RENEWAL);
        long ahead = first.micros() + 3_600_000_000L;
        port.replies.get(0).complete(List.of("renewed", Long.toString(ahead), "3"));
        assertThat(answer).isCompleted();
        long now = TimeSource.system().nanoTime();
        assertThat(timed.serverTimeAt(KEY.key(), now).micros()).isGreaterThanOrEqualTo(ahead);
        assertThat(timed.serverTimeAt(OTHER.key(), 0)).isEqualTo(before);
        assertThat(before).isEqualTo(first);
    }
}
