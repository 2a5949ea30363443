package dev.leasehold.internal.scriptfree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.internal.engine.VirtualTime;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.PlainKey;
import dev.leasehold.internal.store.ForceRelease;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.LockStore;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.RenewHold;
import dev.leasehold.internal.store.RenewHolds;
import dev.leasehold.internal.store.RequestRelease;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.Dialogue;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.TransportException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Requests and their dialogues; the contracts test them against a real server. */
class ScriptFreeStoreTest {

    private static final LockKey KEY = PlainKey.of("a");
    private static final LockKey OTHER = PlainKey.of("b");
    private static final AcquisitionId ID = new AcquisitionId("id");
    private static final LeaseSpan LEASE = new LeaseSpan(1_000_000_000);
    private static final long TIMEOUT_NANOS = 1_000_000_000;
    private static final RenewHold RENEWAL = new RenewHold(KEY, ID, LEASE, TIMEOUT_NANOS);
    private static final RenewHolds RENEWALS = new RenewHolds(
            LEASE, List.of(new RenewHolds.Entry(KEY, ID), new RenewHolds.Entry(OTHER, ID)), TIMEOUT_NANOS);

    private final VirtualTime time = new VirtualTime();
    private final Conversations transport = new Conversations();
    private final List<Runnable> batches = new ArrayList<>();
    private final LockStore store = new ScriptFreeStore(transport, time, batches::add);

    /** Keeps each dialogue open until a test ends it. */
    private static final class Conversations implements RedisTransport {
        final List<Dialogue> dialogues = new ArrayList<>();
        final List<CompletableFuture<@Nullable Void>> ends = new ArrayList<>();

        @Override
        public CompletionStage<@Nullable Void> converse(Dialogue dialogue) {
            dialogues.add(dialogue);
            CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
            ends.add(end);
            return end;
        }

        /** The dialogue finds a key of this hold, which lasts for so long. */
        void finds(int dialogue, String value, long leftMillis) {
            Dialogue one = dialogues.get(dialogue);
            List<List<String>> unused = one.next(List.of());
            List<List<String>> commands = one.next(
                    Arrays.asList("OK", List.of(), "OK", List.of("1700000000", "42"), value, leftMillis, "string"));
            if (commands.get(0).equals(List.of("MULTI"))) {
                unused = one.next(List.of("OK", "QUEUED", "QUEUED", List.of(1L, 1001L)));
            }
            ends.get(dialogue).complete(null);
        }

        @Override
        public CompletionStage<List<String>> eval(ScriptCall call) {
            throw new AssertionError("a script was sent");
        }

        @Override
        public List<CompletionStage<List<String>>> evalBatch(List<ScriptCall> calls) {
            throw new AssertionError("scripts were sent");
        }

        @Override
        public CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener) {
            return CompletableFuture.completedFuture(() -> {});
        }

        @Override
        public CompletionStage<ServerDescription> describe() {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<@Nullable Object> command(@Nullable RedisNode node, List<String> args) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }

    private static void assertRefused(CompletableFuture<?> answer, String feature) {
        assertThat(answer).isCompletedExceptionally();
        assertThatThrownBy(answer::join)
                .hasCauseInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("a client without scripts does not support " + feature);
    }

    private void runBatches() {
        batches.forEach(Runnable::run);
        batches.clear();
    }

    @Test
    void aRequestThatOnlyAScriptCanServeIsRefusedInWords() {
        assertRefused(store.send(new RequestRelease(KEY, TIMEOUT_NANOS)), "the request 'request release'");
        LockKey standard = LockKey.of(new KeyPrefix("leasehold"), "a");
        assertRefused(store.send(new ForceRelease(standard, TIMEOUT_NANOS)), "locks of the kind STANDARD");
        assertThat(store.sendDurably(List.of(RENEWAL), false, 1, 10))
                .singleElement()
                .satisfies(refused -> {
                    assertRefused(refused.answer(), "requests that wait for replicas");
                    assertRefused(refused.replicas(), "requests that wait for replicas");
                });
        assertThat(transport.dialogues).isEmpty();
    }

    @Test
    void aRequestThatFailsAffectsNoOtherOfItsBatch() {
        ReleaseHold release = new ReleaseHold(KEY, ID, LEASE, false, ServerTime.NONE, TIMEOUT_NANOS);
        List<CompletableFuture<?>> answers =
                store.sendAll(List.of(new RequestRelease(KEY, TIMEOUT_NANOS), release, RENEWAL));
        runBatches();
        transport.ends.get(0).completeExceptionally(new RedisErrorException("OOM"));
        transport.finds(1, "id x", 500);
        assertRefused(answers.get(0), "the request 'request release'");
        assertThatThrownBy(answers.get(1)::join).hasCauseInstanceOf(RedisErrorException.class);
        assertThat(answers.get(2).join())
                .isInstanceOfSatisfying(
                        RenewHold.Answer.class,
                        answer -> assertThat(answer.code()).isEqualTo(RenewHold.Code.RENEWED));
    }

    @Test
    void aCallerThatStopsWaitingCancelsItsDialogues() {
        store.send(RENEWAL).cancel(false);
        store.send(RENEWALS).cancel(false);
        CompletableFuture<?> batched = store.sendAll(List.of(RENEWAL)).get(0);
        runBatches();
        batched.cancel(false);
        assertThat(transport.ends).hasSize(4).allMatch(CompletableFuture::isCancelled);
    }

    @Test
    void aRequestThatIsCancelledBeforeItsTurnIsNotSent() {
        store.sendAll(List.of(RENEWAL)).get(0).cancel(false);
        runBatches();
        assertThat(transport.dialogues).isEmpty();
    }

    @Test
    void aRequestWithoutTimeIsNotSent() {
        CompletableFuture<?> answer =
                store.sendAll(List.of(new RenewHold(KEY, ID, LEASE, 0))).get(0);
        runBatches();
        assertThatThrownBy(answer::join)
                .cause()
                .isInstanceOfSatisfying(
                        TransportException.class,
                        e -> assertThat(e.maybeExecuted()).isFalse());
        assertThat(transport.dialogues).isEmpty();
    }

    @Test
    void aClosedClientSendsNoBatches() {
        Executor closed = task -> {
            throw new RejectedExecutionException();
        };
        CompletableFuture<?> answer = new ScriptFreeStore(transport, time, closed)
                .sendAll(List.of(RENEWAL))
                .get(0);
        assertThatThrownBy(answer::join)
                .cause()
                .isInstanceOfSatisfying(
                        TransportException.class,
                        e -> assertThat(e.maybeExecuted()).isFalse());
    }

    @Test
    void aRenewalOfSeveralHoldsReportsEachByItself() {
        CompletableFuture<RenewHolds.Answer> answer = store.send(RENEWALS);
        transport.ends.get(0).completeExceptionally(new RedisErrorException("OOM"));
        transport.finds(1, "another x", 500);
        assertThatThrownBy(answer.join().results().get(0)::orThrow).hasRootCauseInstanceOf(RedisErrorException.class);
        RenewHold.Answer other = answer.join().results().get(1).orThrow();
        assertThat(other.code()).isEqualTo(RenewHold.Code.GONE);
        assertThat(other.detail()).isEqualTo("taken");
        assertThat(answer.join().now()).isEqualTo(new ServerTime(1_700_000_000_000_042L));
    }

    @Test
    void aRenewalOfSeveralHoldsFailsIfNoKeyWasAnswered() {
        CompletableFuture<RenewHolds.Answer> answer = store.send(RENEWALS);
        transport.ends.forEach(end -> end.completeExceptionally(new RedisErrorException("LOADING")));
        assertThatThrownBy(answer::join).hasCauseInstanceOf(RedisErrorException.class);
    }
}
