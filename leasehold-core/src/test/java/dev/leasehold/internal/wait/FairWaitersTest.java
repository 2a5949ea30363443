package dev.leasehold.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.engine.ScriptedTransport;
import dev.leasehold.internal.key.ReadKey;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Places of a fair queue of which nobody knows, or may not know yet. */
class FairWaitersTest {

    private static final String KEY = EngineRig.KEY.key();

    private final EngineRig rig = new EngineRig();

    private CompletableFuture<Lease> waiter() {
        return waiter(EngineRig.OPTIONS);
    }

    private CompletableFuture<Lease> waiter(LockOptions options) {
        return rig.engine.fairLock(EngineRig.KEY, options).acquireAsync().toCompletableFuture();
    }

    private void busyAt(String place) {
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "30000000", place, "1"));
    }

    /** The request that is on its way is answered. */
    private void answer(String place) {
        rig.redis.last("acquire").answer().complete(rig.redis.reply("busy", "30000000", place, "1"));
    }

    private void wake(String place) {
        rig.redis.listeners.forEach(listener -> listener.message(place + " " + KEY));
    }

    private int asked() {
        return rig.redis.sent("acquire").size();
    }

    private void assertGivenBack(String... places) {
        assertThat(rig.redis.sent("leave")).extracting(sent -> sent.arg(0)).containsExactly(places);
    }

    @Test
    void whoIsCancelledOnTheWayGivesThePlaceBackOfWhichItIsToldLate() {
        rig.redis.silent("acquire");
        CompletableFuture<Lease> waiter = waiter();
        waiter.cancel(false);
        assertGivenBack();
        answer("7");
        assertGivenBack("7");
    }

    /** The first request got no answer in time, and the second is on its way. */
    @Test
    void aLateAnswerThatCannotBeReadEndsNothing() {
        rig.redis.silent("acquire");
        CompletableFuture<Lease> waiter = waiter(LockOptions.defaults().toBuilder()
                .leaseTime(Duration.ofMillis(100))
                .build());
        rig.pass(Duration.ofMillis(190));
        assertThat(asked()).isGreaterThan(1);
        assertThat(rig.redis.sent("acquire").get(0).answer().complete(List.of("what?")))
                .isTrue();
        assertThat(waiter).isNotDone();
        rig.redis.answers(
                "acquire", call -> rig.redis.reply("granted", "100000", Long.toString(rig.time.serverMicros())));
        rig.pass(Duration.ofMillis(500));
        assertThat(waiter).isCompleted();
    }

    @Test
    void aLateAnswerDoesNotTakeAPlaceFromWhoHasIt() {
        busyAt("7");
        waiter();
        rig.redis.silent("acquire");
        CompletableFuture<Lease> late = waiter();
        late.cancel(false);
        answer("7");
        assertGivenBack();
    }

    @Test
    void aWakeUpForAPlaceThatNobodyHasIsPassedOnOnceAllKnowTheirOwn() {
        busyAt("7");
        waiter();
        rig.redis.silent("acquire");
        waiter();
        wake("8");
        assertGivenBack();
        busyAt("9");
        answer("9");
        assertGivenBack("8");
    }

    @Test
    void whoLearnsThatItIsItsTurnLooksAndKeepsItsPlace() {
        busyAt("7");
        waiter();
        rig.redis.silent("acquire");
        waiter();
        wake("8");
        int before = asked();
        busyAt("8");
        answer("8");
        assertThat(asked()).isEqualTo(before + 1);
        assertGivenBack();
    }

    @Test
    void ofSeveralWhoMayLearnThatItIsTheirsOnlyTheLastToKnowPassesItOn() {
        busyAt("7");
        waiter();
        rig.redis.silent("acquire");
        CompletableFuture<Lease> second = waiter();
        waiter();
        wake("8");
        busyAt("9");
        answer("9");
        assertGivenBack();
        second.cancel(false);
        assertGivenBack("8");
    }

    /** What Redis said to the last look is not known: it may have another place by now. Found by simulation. */
    @Test
    void whoGotNoAnswerLooksAgainThoughOthersLookForIt() {
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "30000000", "7", "2"));
        waiter();
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "30000000", "8", "2"));
        waiter();
        rig.redis.fails("acquire", new TransportException("down", true, null));
        wake("8");
        rig.redis.answers(
                "acquire",
                call -> rig.redis.reply("busy", "30000000", call.args().get(9), "2"));
        int before = asked();
        rig.pass(Duration.ofSeconds(1));
        assertThat(asked()).isEqualTo(before + 1);
        assertThat(rig.redis.last("acquire").arg(9)).isEqualTo("8");
    }

    @Test
    void whosePlaceWasGivenToAnotherTakesANewOne() {
        busyAt("7");
        waiter();
        rig.redis.silent("acquire");
        waiter();
        rig.redis.answers(
                "acquire",
                call -> rig.redis.reply(
                        "busy",
                        "30000000",
                        call.args().get(9).equals("0") ? "8" : call.args().get(9),
                        "1"));
        answer("7");
        assertThat(rig.redis.last("acquire").arg(9)).isEqualTo("0");
        wake("7");
        wake("8");
        assertGivenBack();
    }

    /** On a single server a place whose client cannot hear is passed over. */
    @Test
    void whoCannotHearYetTakesNoPlaceUntilItCan() {
        rig.redis.subscribed = new CompletableFuture<>();
        busyAt("7");
        waiter();
        assertThat(rig.redis.last("acquire").arg(8)).isEmpty();
        rig.redis.subscribed.complete(() -> {});
        assertThat(asked()).isEqualTo(2);
        assertThat(rig.redis.last("acquire").arg(8)).isNotEmpty();
    }

    @Test
    void whoDoesNotGetToHearTakesAPlaceAllTheSame() {
        rig.redis.subscribed = new CompletableFuture<>();
        busyAt("7");
        waiter();
        rig.pass(Duration.ofSeconds(1));
        assertThat(rig.redis.last("acquire").arg(8)).isNotEmpty();
    }

    /** Two leaders who resigned in turn: once in a few hundred terms the turn was missed, and cost the others a second. */
    @Test
    void whoLearnsItsPlaceWhileOthersAreCalledForItsTurnLooksToo() {
        busyAt("0");
        waiter();
        rig.redis.silent("acquire");
        waiter();
        ScriptedTransport.Sent second = rig.redis.last("acquire");
        rig.redis.answers("acquire", call -> {
            // The first looks because it may be its turn; meanwhile the second is told that it is its own.
            second.answer().complete(rig.redis.reply("busy", "30000000", "8", "1"));
            return rig.redis.reply("busy", "30000000", call.args().get(9), "2");
        });
        int before = asked();
        wake("8");
        assertThat(asked()).isEqualTo(before + 2);
        assertGivenBack();
    }

    @Test
    void whoWaitsToReadHasItsOwnWakeUpThoughAnotherIsAboutToLearnItsPlace() {
        busyAt("7");
        CompletableFuture<Lease> reader = rig.engine
                .lock(ReadKey.of(EngineRig.KEY), EngineRig.OPTIONS)
                .acquireAsync()
                .toCompletableFuture();
        rig.redis.silent("acquire");
        waiter();
        ScriptedTransport.Sent learning = rig.redis.last("acquire");
        int before = asked();
        wake("7");
        assertThat(asked()).isEqualTo(before + 1);
        assertThat(rig.redis.last("acquire").arg(1)).isEqualTo("r");
        learning.answer().complete(rig.redis.reply("busy", "30000000", "8", "1"));
        assertThat(rig.redis.sent("leave")).isEmpty();
        assertThat(reader).isNotDone();
    }
}
