package dev.leasehold.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.LockOptions;
import dev.leasehold.event.LossCause;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.engine.ScriptedTransport;
import dev.leasehold.internal.key.ReadKey;
import dev.leasehold.internal.script.AcquireScript;
import dev.leasehold.spi.ScriptCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A process admits its readers between two of its writers, under the hold of the writers. */
class ReadersTurnTest {

    private static final Duration RUN = Duration.ofMillis(20);
    private static final LockOptions OTHER =
            EngineRig.OPTIONS.toBuilder().leaseTime(Duration.ofSeconds(10)).build();

    private final EngineRig rig = new EngineRig();
    private CompletableFuture<Lease> writer = new CompletableFuture<>();
    private CompletableFuture<Lease> nextWriter = new CompletableFuture<>();

    private CompletableFuture<Lease> writes() {
        return rig.lock().acquireAsync().toCompletableFuture();
    }

    private CompletableFuture<Lease> reads(LockOptions options) {
        return rig.engine
                .lock(ReadKey.of(EngineRig.KEY), options)
                .acquireAsync()
                .toCompletableFuture();
    }

    private CompletableFuture<Lease> reads() {
        return reads(EngineRig.OPTIONS);
    }

    private List<String> busy(ScriptCall call) {
        return rig.redis.reply("busy", "30000000", call.script() == AcquireScript.SHARED ? "8" : "7", "0");
    }

    /** A writer holds the lock, with this number of tokens, and another waits behind it. */
    private void writersTurn(int tokens) {
        rig.redis.answers("acquire", this::busy);
        writer = writes();
        nextWriter = writes();
        boolean[] free = {true};
        rig.redis.answers("acquire", call -> {
            if (!free[0]) {
                return busy(call);
            }
            free[0] = false;
            long token = rig.time.serverMicros();
            return rig.redis.reply("granted", "30000000", Long.toString(token), Long.toString(token + tokens - 1));
        });
        rig.redis.listeners.get(0).resubscribed();
        assertThat(writer).isCompleted();
        rig.redis.sent.clear();
    }

    private List<String> sent() {
        return rig.redis.sent.stream().map(ScriptedTransport.Sent::name).toList();
    }

    private static void release(CompletableFuture<Lease> held) {
        assertThat(held).isCompleted();
        held.join().release();
    }

    private static long token(CompletableFuture<Lease> held) {
        return held.join().fencingToken();
    }

    @Test
    void allWaitingReadersAreAdmittedBeforeTheNextWriterWithoutARequest() {
        writersTurn(100);
        List<CompletableFuture<Lease>> readers = List.of(reads(), reads(), reads());
        assertThat(sent()).as("they await a hand-off").isEmpty();
        Duration left = writer.join().remaining();
        release(writer);
        assertThat(readers).allSatisfy(reader -> {
            assertThat(reader).isCompleted();
            assertThat(token(reader)).isEqualTo(token(writer) + 1);
            assertThat(reader.join().remaining()).isEqualTo(left);
        });
        readers.subList(0, 2).forEach(ReadersTurnTest::release);
        assertThat(nextWriter).isNotDone();
        release(readers.get(2));
        assertThat(token(nextWriter)).isEqualTo(token(writer) + 2);
        assertThat(sent()).isEmpty();
        release(nextWriter);
        assertThat(sent()).containsExactly("release");
        assertThat(rig.redis.last("release").arg(0)).isEqualTo("acquisition-1");
    }

    @Test
    void renewalsDoNotLetOtherReadersInWhileAWriterWaitsBehindThese() {
        writersTurn(100);
        CompletableFuture<Lease> reader = reads();
        release(writer);
        rig.pass(Duration.ofSeconds(12));
        assertThat(reader.join().isHeld()).isTrue();
        assertThat(sent()).contains("renew").doesNotContain("downgrade");
    }

    @Test
    void aReaderThatArrivesWhileAWriterWaitsGetsTheNextTurn() {
        writersTurn(100);
        CompletableFuture<Lease> reader = reads();
        release(writer);
        CompletableFuture<Lease> later = reads();
        release(reader);
        assertThat(nextWriter).isCompleted();
        assertThat(later).isNotDone();
        CompletableFuture<Lease> last = writes();
        release(nextWriter);
        assertThat(token(later)).isEqualTo(token(writer) + 3);
        release(later);
        assertThat(last).isCompleted();
        assertThat(sent()).isEmpty();
    }

    @Test
    void withoutAWriterBehindThemLaterReadersJoin() {
        writersTurn(100);
        nextWriter.cancel(false);
        CompletableFuture<Lease> reader = reads();
        release(writer);
        assertThat(token(reader)).isEqualTo(token(writer) + 1);
        CompletableFuture<Lease> later = reads();
        release(reader);
        assertThat(token(later)).isEqualTo(token(reader));
        CompletableFuture<Lease> last = writes();
        CompletableFuture<Lease> behind = reads();
        assertThat(behind).as("a writer waits").isNotDone();
        release(later);
        assertThat(token(last)).isEqualTo(token(writer) + 2);
        release(last);
        assertThat(token(behind)).isEqualTo(token(writer) + 3);
        assertThat(sent()).isEmpty();
        release(behind);
        assertThat(sent()).containsExactly("release");
        assertThat(rig.redis.last("release").arg(0)).isEqualTo("acquisition-1");
    }

    /** So that readers of other processes are admitted, too. */
    @Test
    void whenTheRunIsOverAndNoWriterWaitsTheHoldIsSharedInRedis() {
        writersTurn(100);
        nextWriter.cancel(false);
        CompletableFuture<Lease> reader = reads();
        release(writer);
        rig.redis.silent("downgrade");
        rig.pass(RUN.minusMillis(1));
        assertThat(sent()).isEmpty();
        rig.pass(Duration.ofMillis(1));
        assertThat(sent()).containsExactly("downgrade");
        assertThat(rig.redis.last("downgrade").arg(0)).isEqualTo("acquisition-1");
        assertThat(rig.redis.last("downgrade").arg(2))
                .as("the floor: the last token of the run")
                .isEqualTo(Long.toString(token(writer) + 99));
        assertThat(rig.redis.last("downgrade").arg(3))
                .as("the token of those who come later, too")
                .isEqualTo(Long.toString(token(reader)));
        rig.redis.answers("downgrade", call -> rig.redis.reply("shared", "30000000", Long.toString(token(reader))));
        rig.pass(Duration.ofSeconds(6));
        assertThat(sent()).as("repeated").containsExactly("downgrade", "downgrade");
        CompletableFuture<Lease> later = reads();
        CompletableFuture<Lease> last = writes();
        assertThat(sent()).as("both send requests").endsWith("acquire", "acquire");
        release(reader);
        assertThat(sent()).as("a hold that others may share is not handed off").contains("release");
        assertThat(later).isNotDone();
        assertThat(last).isNotDone();
    }

    @Test
    void anUnansweredShareRequestIsNotRepeatedOnceNoReaderIsLeft() {
        writersTurn(100);
        nextWriter.cancel(false);
        CompletableFuture<Lease> reader = reads();
        release(writer);
        rig.redis.silent("downgrade");
        rig.pass(RUN);
        release(reader);
        rig.pass(Duration.ofSeconds(20));
        assertThat(sent()).containsExactly("downgrade", "release");
    }

    /** A client that closes waits until Redis has answered, not for an answer that it can read. */
    @Test
    void aShareRequestWhoseAnswerCannotBeReadHasBeenAnswered() {
        writersTurn(100);
        nextWriter.cancel(false);
        reads();
        release(writer);
        rig.redis.silent("downgrade");
        rig.pass(RUN);
        assertThat(rig.lifecycle().unanswered()).hasSize(1);
        rig.redis.last("downgrade").answer().complete(List.of("surprise"));
        assertThat(rig.lifecycle().unanswered()).isEmpty();
        rig.pass(Duration.ofSeconds(1));
        assertThat(sent()).as("repeated").containsExactly("downgrade", "downgrade");
    }

    @Test
    void aWriterThatWaitsWhenTheRunIsOverIsNextAndIfItGivesUpTheHoldIsShared() {
        writersTurn(100);
        nextWriter.cancel(false);
        CompletableFuture<Lease> reader = reads();
        release(writer);
        CompletableFuture<Lease> last = writes();
        rig.pass(RUN.plusMillis(1));
        assertThat(sent()).isEmpty();
        rig.redis.answers("downgrade", call -> rig.redis.reply("shared", "30000000", Long.toString(token(reader))));
        last.cancel(false);
        assertThat(sent()).containsExactly("downgrade");
    }

    /** Readers of other processes may read by now, with the same token. */
    @Test
    void readersJoinUntilTheRunIsOverThoughTheHoldIsSharedInRedis() {
        writersTurn(100);
        nextWriter.cancel(false);
        CompletableFuture<Lease> reader = reads();
        release(writer);
        CompletableFuture<Lease> last = writes();
        rig.redis.answers("downgrade", call -> rig.redis.reply("shared", "30000000", Long.toString(token(reader))));
        last.cancel(false);
        CompletableFuture<Lease> later = reads();
        assertThat(token(later)).isEqualTo(token(reader));
        assertThat(sent()).containsExactly("downgrade");
        rig.pass(RUN);
        CompletableFuture<Lease> latest = reads();
        assertThat(latest).isNotDone();
        assertThat(sent()).containsExactly("downgrade", "acquire");
    }

    @Test
    void withoutATokenForTheReadersTheHoldIsContinuedFirst() {
        writersTurn(1);
        nextWriter.cancel(false);
        CompletableFuture<Lease> reader = reads();
        long token = token(writer) + 500;
        rig.redis.answers(
                "go_on", call -> rig.redis.reply("going", "30000000", Long.toString(token), Long.toString(token + 99)));
        release(writer);
        assertThat(sent()).containsExactly("go_on");
        assertThat(token(reader)).isEqualTo(token);
    }

    @Test
    void whileOtherClientsWaitNoReaderIsAdmittedAfterTheRun() {
        writersTurn(1);
        nextWriter.cancel(false);
        CompletableFuture<Lease> reader = reads();
        rig.redis.answers("go_on", call -> rig.redis.reply("wanted"));
        release(writer);
        assertThat(sent()).startsWith("go_on", "release").endsWith("acquire");
        assertThat(rig.redis.last("acquire").call().script()).isEqualTo(AcquireScript.SHARED);
        assertThat(reader).isNotDone();
    }

    @Test
    void whenTheWriterBehindTheReadersGivesUpTheHoldIsSharedInRedis() {
        writersTurn(100);
        CompletableFuture<Lease> reader = reads();
        release(writer);
        rig.redis.answers("downgrade", call -> rig.redis.reply("shared", "30000000", Long.toString(token(reader))));
        nextWriter.cancel(false);
        assertThat(rig.redis.last("downgrade").arg(0)).isEqualTo("acquisition-1");
        assertThat(reader.join().isHeld()).isTrue();
        CompletableFuture<Lease> last = writes();
        release(reader);
        assertThat(sent()).as("a hold that others may share is not handed off").contains("release");
        assertThat(last).isNotDone();
    }

    /** The writer may give up while the readers ahead of it are admitted. */
    @Test
    void aSharedHoldIsNotHandedOffIfAllReadersLeaveBeforeTheWriterIsDone() {
        writersTurn(100);
        List<CompletableFuture<Lease>> last = new ArrayList<>();
        CompletableFuture<Void> read = reads().thenAccept(lease -> {
            nextWriter.cancel(false);
            last.add(writes());
            lease.release();
        });
        rig.redis.answers("downgrade", call -> rig.redis.reply("shared", "30000000", Long.toString(token(writer) + 1)));
        rig.redis.answers("go_on", call -> rig.redis.reply("wanted"));
        release(writer);
        assertThat(read).isCompleted();
        assertThat(sent()).contains("downgrade", "release").doesNotContain("go_on");
        assertThat(last).singleElement().satisfies(waiter -> assertThat(waiter).isNotDone());
    }

    @Test
    void whenTheWriterBehindTheReadersGivesUpLaterReadersPoll() {
        writersTurn(100);
        CompletableFuture<Lease> reader = reads();
        release(writer);
        CompletableFuture<Lease> later = reads();
        assertThat(sent()).doesNotContain("acquire");
        nextWriter.cancel(false);
        assertThat(rig.redis.last("acquire").call().script()).isEqualTo(AcquireScript.SHARED);
        release(reader);
        assertThat(later).isNotDone();
    }

    @Test
    void afterTheRunTheLastReaderContinuesTheHold() {
        writersTurn(100);
        CompletableFuture<Lease> reader = reads();
        release(writer);
        long token = token(writer) + 500;
        rig.redis.answers(
                "go_on", call -> rig.redis.reply("going", "30000000", Long.toString(token), Long.toString(token + 99)));
        rig.pass(RUN);
        release(reader);
        assertThat(sent()).containsExactly("go_on");
        assertThat(rig.redis.last("go_on").arg(0)).isEqualTo("acquisition-1");
        assertThat(token(nextWriter)).isEqualTo(token);
        CompletableFuture<Lease> again = reads();
        CompletableFuture<Lease> last = writes();
        release(nextWriter);
        release(again);
        assertThat(token(again)).isEqualTo(token + 1);
        assertThat(last).isCompleted();
        assertThat(sent()).as("another run").containsExactly("go_on");
    }

    @Test
    void whileOtherClientsWaitTheLastReaderReleasesTheLock() {
        writersTurn(100);
        CompletableFuture<Lease> reader = reads();
        release(writer);
        rig.redis.answers("go_on", call -> rig.redis.reply("wanted"));
        rig.pass(RUN);
        release(reader);
        assertThat(sent()).startsWith("go_on", "release");
        assertThat(nextWriter).isNotDone();
        assertThat(sent()).as("the writer polls").contains("acquire");
    }

    @Test
    void aHoldThatAReaderExtendedIsNotHandedOff() {
        writersTurn(100);
        CompletableFuture<Lease> one = reads();
        CompletableFuture<Lease> other = reads();
        release(writer);
        rig.redis.answers("renew", call -> rig.redis.reply("renewed", "35000000"));
        assertThat(one.join().extend(Duration.ofSeconds(5))).isTrue();
        release(one);
        release(other);
        assertThat(sent()).contains("release");
        assertThat(nextWriter).isNotDone();
    }

    @Test
    void aHoldThatAReaderLostIsNotHandedOff() {
        writersTurn(100);
        CompletableFuture<Lease> one = reads();
        CompletableFuture<Lease> other = reads();
        release(writer);
        rig.redis.answers("renew", call -> rig.redis.reply("gone", "taken"));
        assertThat(one.join().extend(Duration.ofSeconds(5))).isFalse();
        assertThat(rig.lost)
                .singleElement()
                .satisfies(loss -> assertThat(loss.cause()).isEqualTo(LossCause.TAKEN_OVER));
        rig.redis.answers("release", call -> rig.redis.reply("gone", "taken"));
        assertThatThrownBy(() -> other.join().release()).isInstanceOf(LeaseLostException.class);
        assertThat(rig.lost).as("both are notified").hasSize(2);
        assertThat(nextWriter).isNotDone();
        assertThat(sent()).as("the writer polls").contains("acquire");
    }

    @Test
    void whenTheLastReaderLosesTheHoldByItsDeadlineTheWriterPolls() {
        writersTurn(100);
        CompletableFuture<Lease> reader = reads();
        release(writer);
        rig.redis.silent("renew");
        rig.redis.silent("renew_many");
        rig.redis.sent.clear();
        rig.pass(Duration.ofSeconds(31));
        assertThat(reader.join().isHeld()).isFalse();
        assertThat(sent()).contains("release", "acquire");
    }

    @Test
    void aReaderWithAnotherLeaseTimeSendsARequest() {
        writersTurn(100);
        CompletableFuture<Lease> reader = reads(OTHER);
        assertThat(rig.redis.last("acquire").call().script()).isEqualTo(AcquireScript.SHARED);
        release(writer);
        assertThat(reader).isNotDone();
        assertThat(nextWriter).isCompleted();
    }
}
