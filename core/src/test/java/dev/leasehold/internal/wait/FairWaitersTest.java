package dev.leasehold.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.engine.ScriptedTransport;
import dev.leasehold.internal.key.ReadKey;
import dev.leasehold.internal.script.AcquireScript;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Positions of a fair queue that no waiter knows, or does not know yet. */
class FairWaitersTest {

    private static final String KEY = EngineRig.KEY.key();

    private final EngineRig rig = new EngineRig();

    private CompletableFuture<Lease> waiter() {
        return waiter(EngineRig.OPTIONS);
    }

    private CompletableFuture<Lease> waiter(LockOptions options) {
        return rig.engine.fairLock(EngineRig.KEY, options).acquireAsync().toCompletableFuture();
    }

    private void busyAt(String position) {
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "30000000", position, "1"));
    }

    /** Answers the request in flight. */
    private void answer(String position) {
        rig.redis.last("acquire").answer().complete(rig.redis.reply("busy", "30000000", position, "1"));
    }

    private void wake(String position) {
        rig.redis.listeners.forEach(listener -> listener.message(position + " " + KEY));
    }

    private int polls() {
        return rig.redis.sent("acquire").size();
    }

    private void assertReleased(String... positions) {
        assertThat(rig.redis.sent("leave")).extracting(sent -> sent.arg(0)).containsExactly(positions);
    }

    @Test
    void aCancelledWaiterReleasesThePositionOfALateAnswer() {
        rig.redis.silent("acquire");
        CompletableFuture<Lease> waiter = waiter();
        waiter.cancel(false);
        String id = rig.redis.last("acquire").arg(0);
        assertThat(rig.redis.last("leave").call().args()).startsWith("0").endsWith(id);
        answer("7");
        assertReleased("0", "7");
    }

    /** Its position may have lapsed, and its last request may have been given another. */
    @Test
    void aWaiterThatLeavesWithoutAnAnswerReleasesThePositionThatItMayHaveBeenGivenInstead() {
        busyAt("7");
        CompletableFuture<Lease> waiter = waiter();
        rig.redis.silent("acquire");
        wake("7");
        waiter.cancel(false);
        assertReleased("7", "0");
    }

    /** The first request timed out, and the second is in flight. */
    @Test
    void aLateAnswerThatCannotBeParsedChangesNothing() {
        rig.redis.silent("acquire");
        CompletableFuture<Lease> waiter = waiter(LockOptions.defaults().toBuilder()
                .leaseTime(Duration.ofMillis(100))
                .build());
        rig.pass(Duration.ofMillis(190));
        assertThat(polls()).isGreaterThan(1);
        assertThat(rig.redis.sent("acquire").get(0).answer().complete(List.of("what?")))
                .isTrue();
        assertThat(waiter).isNotDone();
        rig.redis.answers(
                "acquire", call -> rig.redis.reply("granted", "100000", Long.toString(rig.time.serverMicros())));
        rig.pass(Duration.ofMillis(500));
        assertThat(waiter).isCompleted();
    }

    @Test
    void aLateAnswerDoesNotReleaseAPositionThatAnotherWaiterHas() {
        busyAt("7");
        waiter();
        rig.redis.silent("acquire");
        CompletableFuture<Lease> late = waiter();
        late.cancel(false);
        answer("7");
        assertReleased("0");
    }

    /** The first request has timed out, and its repeat, which finds the same position unless too many came after it, is in flight. */
    @Test
    void aLateAnswerReleasesItsPositionOnlyIfTheRepeatDoesNotFindIt() {
        for (String found : List.of("7", "99")) {
            EngineRig one = new EngineRig();
            one.redis.silent("acquire");
            CompletionStage<Lease> waiter =
                    one.engine.fairLock(EngineRig.KEY, EngineRig.OPTIONS).acquireAsync();
            ScriptedTransport.Sent first = one.redis.last("acquire");
            while (one.redis.last("acquire") == first) {
                one.pass(Duration.ofMillis(100));
            }
            ScriptedTransport.Sent repeat = one.redis.last("acquire");
            first.answer().complete(one.redis.reply("busy", "30000000", "7", "1"));
            assertThat(one.redis.sent("leave")).isEmpty();
            one.redis.answers("acquire", call -> one.redis.reply("busy", "30000000", found, "1"));
            repeat.answer().complete(one.redis.reply("busy", "30000000", found, "1"));
            assertThat(one.redis.sent("leave"))
                    .hasSize(found.equals("7") ? 0 : 1)
                    .allSatisfy(sent -> assertThat(sent.arg(0)).isEqualTo("7"));
            assertThat(waiter.toCompletableFuture()).isNotDone();
        }
    }

    /** A last try does not wait: Redis does not look for the position of an earlier request. */
    @Test
    void aLastTryThatIsGrantedReleasesThePositionThatALostAnswerBrought() {
        busyAt("7");
        waiter();
        rig.redis.silent("acquire");
        CompletableFuture<Lease> waiter = rig.engine
                .fairLock(EngineRig.KEY, EngineRig.OPTIONS)
                .acquireAsync(Duration.ofSeconds(1))
                .toCompletableFuture();
        ScriptedTransport.Sent first = rig.redis.last("acquire");
        assertThat(first.arg(7)).isNotEmpty();
        rig.pass(Duration.ofMillis(985));
        first.answer().completeExceptionally(new TransportException("cut", true, null));
        rig.pass(Duration.ofMillis(10));
        ScriptedTransport.Sent last = rig.redis.last("acquire");
        assertThat(last.arg(0)).isEqualTo(first.arg(0));
        assertThat(last.arg(7)).isEmpty();
        last.answer().complete(rig.redis.reply("granted", last.arg(1), Long.toString(rig.time.serverMicros())));
        assertThat(waiter).isCompleted();
        assertThat(rig.redis.last("leave").call().args()).startsWith("0").endsWith(last.arg(0));
    }

    /** Its position is no longer in the queue, so Redis gives another, and wakes that one before the answer arrives. */
    @Test
    void aWaiterThatLearnsANewPositionPollsAgainIfThatPositionWasWoken() {
        busyAt("7");
        waiter();
        rig.redis.silent("acquire");
        wake("7");
        int before = polls();
        wake("9");
        busyAt("9");
        answer("9");
        assertReleased();
        assertThat(polls()).isEqualTo(before + 1);
    }

    /** No late answer concerns another waiter than its own. */
    @Test
    void aLateAnswerWakesNoOtherWaiter() {
        rig.redis.silent("acquire");
        waiter();
        ScriptedTransport.Sent first = rig.redis.last("acquire");
        while (rig.redis.last("acquire") == first) {
            rig.pass(Duration.ofMillis(100));
        }
        ScriptedTransport.Sent repeat = rig.redis.last("acquire");
        waiter();
        int before = polls();
        first.answer().complete(rig.redis.reply("busy", "30000000", "7", "1"));
        busyAt("8");
        answer("8");
        assertThat(polls()).isEqualTo(before);
        repeat.answer().complete(rig.redis.reply("busy", "30000000", "7", "1"));
        assertReleased();
    }

    @Test
    void aWakeUpForAPositionWithoutAWaiterIsPassedOnOnceAllKnowTheirPositions() {
        busyAt("7");
        waiter();
        rig.redis.silent("acquire");
        waiter();
        wake("8");
        assertReleased();
        busyAt("9");
        answer("9");
        assertReleased("8");
    }

    @Test
    void aWaiterThatLearnsThatItsPositionWasWokenPollsAndKeepsIt() {
        busyAt("7");
        waiter();
        rig.redis.silent("acquire");
        waiter();
        wake("8");
        int before = polls();
        busyAt("8");
        answer("8");
        assertThat(polls()).isEqualTo(before + 1);
        assertReleased();
    }

    @Test
    void onlyTheLastWaiterToLearnItsPositionPassesTheWakeUpOn() {
        busyAt("7");
        waiter();
        rig.redis.silent("acquire");
        CompletableFuture<Lease> second = waiter();
        waiter();
        wake("8");
        busyAt("9");
        answer("9");
        assertReleased();
        second.cancel(false);
        // And what it may have taken itself.
        assertReleased("8", "0");
    }

    /** The answer to the last poll is unknown, so the waiter may have another position by now. Found by simulation. */
    @Test
    void aWaiterWithoutAnAnswerPollsAgainThoughOthersPollForIt() {
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "30000000", "7", "2"));
        waiter();
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "30000000", "8", "2"));
        waiter();
        rig.redis.fails("acquire", new TransportException("down", true, null));
        wake("8");
        rig.redis.answers(
                "acquire",
                call -> rig.redis.reply("busy", "30000000", call.args().get(8), "2"));
        int before = polls();
        rig.pass(Duration.ofSeconds(1));
        assertThat(polls()).isEqualTo(before + 1);
        assertThat(rig.redis.last("acquire").arg(8)).isEqualTo("8");
    }

    @Test
    void aWaiterWhosePositionAnotherHasTakesANewOne() {
        busyAt("7");
        waiter();
        rig.redis.silent("acquire");
        waiter();
        rig.redis.answers(
                "acquire",
                call -> rig.redis.reply(
                        "busy",
                        "30000000",
                        call.args().get(8).equals("0") ? "8" : call.args().get(8),
                        "1"));
        answer("7");
        assertThat(rig.redis.last("acquire").arg(8)).isEqualTo("0");
        wake("7");
        wake("8");
        assertReleased();
    }

    /** A single server skips a position whose client has no subscription. */
    @Test
    void aWaiterTakesNoPositionBeforeItsSubscriptionIsConfirmed() {
        rig.redis.subscribed = new CompletableFuture<>();
        busyAt("7");
        waiter();
        assertThat(rig.redis.last("acquire").arg(7)).isEmpty();
        rig.redis.subscribed.complete(() -> {});
        assertThat(polls()).isEqualTo(2);
        assertThat(rig.redis.last("acquire").arg(7)).isNotEmpty();
    }

    @Test
    void aWaiterWithoutAConfirmedSubscriptionTakesAPositionAfterASecond() {
        rig.redis.subscribed = new CompletableFuture<>();
        busyAt("7");
        waiter();
        rig.pass(Duration.ofSeconds(1));
        assertThat(rig.redis.last("acquire").arg(7)).isNotEmpty();
    }

    /** Found with two leaders that resigned in turn: once in a few hundred terms a missed wake-up cost a second. */
    @Test
    void aWaiterThatLearnsItsPositionWhileOthersAreWokenForItPollsToo() {
        busyAt("0");
        waiter();
        rig.redis.silent("acquire");
        waiter();
        ScriptedTransport.Sent second = rig.redis.last("acquire");
        rig.redis.answers("acquire", call -> {
            // The first waiter polls because the wake-up may be its own; meanwhile the second learns that it is its
            // own.
            second.answer().complete(rig.redis.reply("busy", "30000000", "8", "1"));
            return rig.redis.reply("busy", "30000000", call.args().get(8), "2");
        });
        int before = polls();
        wake("8");
        assertThat(polls()).isEqualTo(before + 2);
        assertReleased();
    }

    @Test
    void aWaitingReaderIsWokenThoughAnotherWaiterIsAboutToLearnItsPosition() {
        busyAt("7");
        CompletableFuture<Lease> reader = rig.engine
                .lock(ReadKey.of(EngineRig.KEY), EngineRig.OPTIONS)
                .acquireAsync()
                .toCompletableFuture();
        rig.redis.silent("acquire");
        waiter();
        ScriptedTransport.Sent learning = rig.redis.last("acquire");
        int before = polls();
        wake("7");
        assertThat(polls()).isEqualTo(before + 1);
        assertThat(rig.redis.last("acquire").call().script()).isEqualTo(AcquireScript.SHARED);
        learning.answer().complete(rig.redis.reply("busy", "30000000", "8", "1"));
        assertThat(rig.redis.sent("leave")).isEmpty();
        assertThat(reader).isNotDone();
    }
}
