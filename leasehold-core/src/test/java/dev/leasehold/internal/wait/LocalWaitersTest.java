package dev.leasehold.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Lease;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.engine.ScriptedTransport;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The line in front of the queue of a lock: who speaks, who is woken, who leaves, and what those behind are told. */
class LocalWaitersTest {

    private static final String KEY = EngineRig.KEY.key();
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final EngineRig rig = new EngineRig();

    private CompletableFuture<Lease> waiter() {
        return rig.lock().acquireAsync().toCompletableFuture();
    }

    private CompletableFuture<Lease> waiter(Duration limit) {
        return rig.lock().acquireAsync(limit).toCompletableFuture();
    }

    private static CompletableFuture<Lease> of(CompletionStage<Lease> stage) {
        return stage.toCompletableFuture();
    }

    private void busyAt(String place, int rank) {
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "30000000", place, Integer.toString(rank)));
    }

    private void free() {
        rig.redis.answers(
                "acquire",
                call -> rig.redis.reply("granted", call.args().get(2), Long.toString(rig.time.serverMicros())));
    }

    /** The next who asks is granted, and those after it wait. */
    private void freeOnce() {
        int[] grants = {1};
        rig.redis.answers(
                "acquire",
                call -> grants[0]-- > 0
                        ? rig.redis.reply("granted", call.args().get(2), Long.toString(rig.time.serverMicros()))
                        : rig.redis.reply("busy", "30000000", "8", "0"));
    }

    private void wake(String message) {
        rig.redis.listeners.forEach(listener -> listener.message(message));
    }

    /** One whose place is 7, and whose next look is on its way. */
    private CompletableFuture<Lease> looking() {
        busyAt("7", 0);
        CompletableFuture<Lease> waiter = waiter();
        rig.redis.silent("acquire");
        wake("7 " + KEY);
        return waiter;
    }

    /** The look that is on its way, and those that follow, find that the lock is taken. */
    private void answerBusyAt(String place) {
        busyAt(place, 0);
        rig.redis.last("acquire").answer().complete(rig.redis.reply("busy", "30000000", place, "0"));
    }

    private void assertGivenBack(String... places) {
        assertThat(rig.redis.sent("leave")).extracting(sent -> sent.arg(0)).containsExactly(places);
    }

    private int asked() {
        return rig.redis.sent("acquire").size();
    }

    private static Throwable failureOf(CompletableFuture<?> future) {
        assertThat(future).isCompletedExceptionally();
        return future.handle((value, failure) -> failure).join();
    }

    @Test
    void onlyTheFirstOfALineAsksAndEachIsCalledWhenTheOneBeforeItLeft() {
        busyAt("7", 0);
        List<CompletableFuture<Lease>> waiters = List.of(waiter(), waiter(), waiter());
        // Once more when the subscription is there: what was published before may be lost.
        assertThat(asked()).isEqualTo(2);
        assertThat(rig.redis.last("acquire").arg(9)).isEqualTo("7");
        freeOnce();
        wake("7 " + KEY);
        assertThat(waiters.get(0)).isCompleted();
        // The next will be handed the lock: it does not ask.
        assertThat(asked()).isEqualTo(3);
        rig.redis.answers("go_on", call -> rig.redis.reply("wanted"));
        busyAt("8", 0);
        waiters.get(0).join().release();
        // Somebody else waits, so it was released, and the next takes a place at once.
        assertThat(asked()).isEqualTo(4);
        assertThat(rig.redis.last("acquire").arg(9)).isEqualTo("0");
        freeOnce();
        wake("8 " + KEY);
        assertThat(waiters.get(1)).isCompleted();
        assertThat(waiters.get(2)).isNotDone();
        assertThat(rig.redis.listeners).hasSize(1);
    }

    @Test
    void aWakeUpDuringARequestIsAnsweredByAnotherLook() {
        busyAt("7", 0);
        CompletableFuture<Lease> waiter = waiter();
        rig.redis.silent("acquire");
        wake("7 " + KEY);
        int before = asked();
        wake("7 " + KEY);
        rig.redis.last("acquire").answer().complete(rig.redis.reply("busy", "30000000", "7", "0"));
        assertThat(asked()).isEqualTo(before + 1);
        assertThat(waiter).isNotDone();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "x",
                "7",
                "-7 leasehold:{a}",
                "7x leasehold:{a}",
                "99999999999999999 leasehold:{a}",
                "7 ",
                "7 elsewhere:{a}"
            })
    void nonsenseOnTheChannelChangesNothing(String message) {
        busyAt("7", 0);
        waiter();
        int before = asked();
        wake(message);
        assertThat(asked()).isEqualTo(before);
        assertThat(rig.redis.sent("leave")).isEmpty();
    }

    @Test
    void aWakeUpForAPlaceThatNobodyHasAnyMoreIsPassedOn() {
        busyAt("7", 0);
        waiter();
        wake("3 " + KEY);
        assertThat(rig.redis.sent("leave"))
                .singleElement()
                .satisfies(sent -> assertThat(sent.arg(0)).isEqualTo("3"));
        wake("4 leasehold:{other}");
        assertThat(rig.redis.last("leave").call().keys()).containsExactly("leasehold:{other}");
    }

    /** The place that it knows is not in the queue any more, so Redis gives it another, whose turn comes before it knows. */
    @Test
    void whoIsAboutToLearnAnotherPlaceLooksAgainIfItIsItsTurnThere() {
        looking();
        int before = asked();
        wake("9 " + KEY);
        answerBusyAt("9");
        assertThat(asked()).isEqualTo(before + 1);
        assertGivenBack();
    }

    @Test
    void whoLearnsThatItHasItsOldPlaceLeavesTheTurnOfAnotherToTheNext() {
        looking();
        wake("9 " + KEY);
        assertGivenBack();
        answerBusyAt("7");
        assertGivenBack("9");
    }

    @Test
    void whoLeavesWithoutAnAnswerLeavesTheTurnOfAnUnknownPlaceToTheNext() {
        CompletableFuture<Lease> waiter = looking();
        wake("9 " + KEY);
        waiter.cancel(false);
        assertGivenBack("7", "9");
    }

    @Test
    void theLastThatGivesUpGivesThePlaceBackAndOnlyTheLast() {
        busyAt("7", 0);
        CompletableFuture<Lease> first = waiter();
        CompletableFuture<Lease> second = waiter();
        first.cancel(false);
        assertThat(rig.redis.sent("leave")).isEmpty();
        assertThat(rig.redis.last("acquire").arg(9)).isEqualTo("7");
        second.cancel(false);
        assertThat(rig.redis.sent("leave")).singleElement().satisfies(sent -> {
            assertThat(sent.arg(0)).isEqualTo("7");
            assertThat(sent.arg(1)).isEqualTo(rig.redis.last("acquire").arg(8)).startsWith("leasehold:w:");
        });
    }

    @Test
    void whoIsCancelledOnTheWayGivesThePlaceBackOfWhichItIsToldLate() {
        rig.redis.silent("acquire");
        CompletableFuture<Lease> waiter = waiter();
        waiter.cancel(false);
        assertThat(rig.redis.sent("leave")).isEmpty();
        rig.redis.last("acquire").answer().complete(rig.redis.reply("busy", "30000000", "7", "0"));
        assertThat(rig.redis.sent("leave"))
                .singleElement()
                .satisfies(sent -> assertThat(sent.arg(0)).isEqualTo("7"));
    }

    @Test
    void whoIsInterruptedOnTheWayGivesThePlaceBackOfWhichItIsToldLate() {
        rig.redis.interrupts("acquire");
        assertThatThrownBy(() -> rig.lock().acquire()).isInstanceOf(InterruptedException.class);
        rig.redis.last("acquire").answer().complete(rig.redis.reply("busy", "30000000", "7", "0"));
        assertThat(rig.redis.sent("leave"))
                .singleElement()
                .satisfies(sent -> assertThat(sent.arg(0)).isEqualTo("7"));
    }

    @Test
    void aLateAnswerLeavesThePlaceToWhoHasItMeanwhile() {
        busyAt("7", 0);
        CompletableFuture<Lease> first = waiter();
        waiter();
        rig.redis.silent("acquire");
        wake("7 " + KEY);
        ScriptedTransport.Sent onItsWay = rig.redis.last("acquire");
        first.cancel(false);
        onItsWay.answer().complete(rig.redis.reply("busy", "30000000", "7", "0"));
        assertThat(rig.redis.sent("leave")).isEmpty();
    }

    @Test
    void closingGivesThePlaceBackBeforeTheClientIsQuiet() {
        busyAt("7", 0);
        CompletableFuture<Lease> waiter = waiter();
        rig.redis.silent("leave");
        rig.engine.shutDown();
        assertThat(failureOf(waiter)).isInstanceOf(IllegalStateException.class);
        assertThat(rig.engine.quiet()).isFalse();
        rig.redis.last("leave").answer().complete(rig.redis.reply("left"));
        assertThat(rig.engine.quiet()).isTrue();
    }

    @Test
    void aPlaceThatCannotBeGivenBackIsTriedThreeTimes() {
        busyAt("7", 0);
        CompletableFuture<Lease> waiter = waiter();
        rig.redis.fails("leave", new TransportException("down", false, null));
        waiter.cancel(false);
        rig.pass(MINUTE);
        assertThat(rig.redis.sent("leave")).hasSize(3);
        assertThat(rig.engine.quiet()).isTrue();
    }

    @Test
    void theLastTryOfAWaiterStillTakesItsPlaceOutOfTheQueue() {
        busyAt("7", 1);
        CompletableFuture<Lease> waiter = waiter(Duration.ofSeconds(3));
        rig.pass(Duration.ofMillis(2899));
        free();
        rig.pass(Duration.ofMillis(101));
        assertThat(waiter).isCompleted();
        assertThat(rig.redis.last("acquire").arg(9)).isEqualTo("7");
        assertThat(rig.redis.sent("leave")).isEmpty();
    }

    @Test
    void afterTheLastLookAWakeUpIsStillHeardUntilTheTimeIsOver() {
        busyAt("7", 0);
        CompletableFuture<Lease> waiter = waiter(Duration.ofSeconds(3));
        rig.pass(Duration.ofMillis(2901));
        int before = asked();
        rig.pass(Duration.ofMillis(98));
        assertThat(asked()).isEqualTo(before);
        assertThat(waiter).isNotDone();
        free();
        wake("7 " + KEY);
        assertThat(waiter).isCompleted();
    }

    @Test
    void theHeadStillLooksAfterItsLastLookWhenTheHoldersLeaseEnds() {
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "2950000", "7", "0"));
        CompletableFuture<Lease> waiter = waiter(Duration.ofSeconds(3));
        rig.pass(Duration.ofMillis(2940));
        free();
        rig.pass(Duration.ofMillis(20));
        assertThat(waiter).isCompleted();
    }

    /** Its answer would hardly come in time, and who is left in doubt must not say that the lock is taken. */
    @Test
    void aLookForWhichAnOverloadedMachineLeavesTooLittleTimeIsLeftOut() {
        busyAt("7", 1);
        CompletableFuture<Lease> waiter = waiter(Duration.ofMillis(500));
        rig.pass(Duration.ofMillis(399));
        int before = asked();
        rig.time.pauseProcess(Duration.ofMillis(80));
        rig.redis.silent("acquire");
        rig.pass(Duration.ofMillis(21));
        assertThat(asked()).isEqualTo(before);
        assertThat(failureOf(waiter)).isInstanceOf(LockNotAcquiredException.class);
    }

    @Test
    void whoIsCalledLooksHoweverLateItIs() {
        busyAt("7", 1);
        CompletableFuture<Lease> waiter = waiter(Duration.ofMillis(500));
        rig.pass(Duration.ofMillis(399));
        rig.time.pauseProcess(Duration.ofMillis(80));
        free();
        wake("7 " + KEY);
        assertThat(waiter).isCompleted();
    }

    @Test
    void whoHasNoTimeForAnotherTryTakesNoPlace() {
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "30000000"));
        CompletableFuture<Lease> waiter = waiter(Duration.ofMillis(10));
        rig.pass(Duration.ofMillis(10));
        assertThat(failureOf(waiter)).isInstanceOf(LockNotAcquiredException.class);
        assertThat(rig.redis.last("acquire").arg(8)).isEmpty();
    }

    @Test
    void afterAReconnectTheFirstOfEachLineLooks() {
        busyAt("7", 2);
        waiter();
        waiter();
        int before = asked();
        rig.redis.listeners.get(0).resubscribed();
        assertThat(asked()).isEqualTo(before + 1);
    }

    @Test
    void aRefusedSubscriptionIsNotAskedForAgainAndTheFirstAsksFromTimeToTime() {
        rig.redis.subscribed = CompletableFuture.failedFuture(new RedisErrorException("NOPERM no channels"));
        busyAt("7", 0);
        waiter();
        rig.pass(Duration.ofSeconds(10));
        assertThat(asked()).isBetween(100, 500);
        assertThat(rig.redis.listeners).hasSize(1);
    }

    @Test
    void aFailedSubscriptionIsTriedAgain() {
        rig.redis.subscribed = CompletableFuture.failedFuture(new TransportException("down", false, null));
        busyAt("7", 0);
        waiter();
        rig.pass(Duration.ofSeconds(1));
        assertThat(rig.redis.listeners).hasSizeGreaterThan(2);
        rig.redis.subscribed = CompletableFuture.completedFuture(() -> {});
        rig.pass(Duration.ofSeconds(1));
        int before = asked();
        rig.pass(Duration.ofSeconds(20));
        assertThat(asked()).isLessThan(before + 10);
    }

    @Test
    void whoWaitsInTheQueueLooksRarelyAndTheNextAboutEverySecond() {
        busyAt("7", 2);
        waiter();
        int further = asked();
        rig.pass(Duration.ofSeconds(100));
        assertThat(asked() - further).isBetween(20, 26);
        busyAt("7", 1);
        rig.redis.listeners.get(0).resubscribed();
        int next = asked();
        rig.pass(Duration.ofSeconds(100));
        assertThat(asked() - next).isBetween(100, 126);
    }

    @Test
    void theHeadLooksWhenTheHoldersLeaseEnds() {
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "2000000", "7", "0"));
        waiter();
        int before = asked();
        rig.pass(Duration.ofMillis(1999));
        assertThat(asked()).isEqualTo(before);
        rig.pass(Duration.ofMillis(3));
        assertThat(asked()).isEqualTo(before + 1);
    }

    @Test
    void aNamedOwnerAsksOnceThoughOthersStandBeforeIt() {
        busyAt("7", 0);
        waiter();
        free();
        CompletableFuture<Lease> owner = of(rig.lock().ownedBy("order-17").acquireAsync());
        assertThat(owner).isCompleted();
        assertThat(rig.redis.last("acquire").arg(8)).isEmpty();
    }

    /** The first hold ended in Redis before its time, and so nobody hands it on. Found by simulation. */
    @Test
    void whoWaitsForALeaseToHandTheLockOnLooksWhenRedisGivesItToAnotherOfTheLine() {
        busyAt("7", 0);
        List<CompletableFuture<Lease>> waiters = List.of(waiter(), waiter());
        freeOnce();
        wake("7 " + KEY);
        assertThat(waiters.get(0)).isCompleted();
        int before = asked();
        freeOnce();
        CompletableFuture<Lease> owner = of(rig.lock().ownedBy("order-17").acquireAsync());
        assertThat(owner).isCompleted();
        assertThat(asked()).isEqualTo(before + 2);
        assertThat(rig.redis.last("acquire").arg(8)).startsWith("leasehold:w:");
        assertThat(waiters.get(1)).isNotDone();
    }

    @Test
    void aNamedOwnerBehindOthersLooksWhenItsOwnerEntersThroughThisClient() {
        busyAt("7", 0);
        waiter();
        CompletableFuture<Lease> owner = of(rig.lock().ownedBy("order-17").acquireAsync());
        CompletableFuture<Lease> stranger = of(rig.lock().ownedBy("order-18").acquireAsync());
        rig.redis.answers(
                "acquire",
                call -> call.args().get(1).equals("n:order-17")
                        ? rig.redis.reply("granted", call.args().get(2), "9")
                        : rig.redis.reply("busy", "30000000", "7", "0"));
        assertThat(of(rig.lock().ownedBy("order-17").acquireAsync())).isCompleted();
        assertThat(owner).isCompleted();
        assertThat(stranger).isNotDone();
    }

    @Test
    void thoseBehindAreNotToldBusyWhenRedisDoesNotAnswerTheFirst() {
        busyAt("7", 0);
        CompletableFuture<Lease> first = waiter(Duration.ofSeconds(30));
        CompletableFuture<Lease> second = waiter(Duration.ofSeconds(20));
        rig.redis.fails("acquire", new TransportException("down", false, null));
        rig.pass(Duration.ofSeconds(30));
        assertThat(failureOf(second)).isInstanceOf(LockUnavailableException.class);
        assertThat(failureOf(first)).isInstanceOf(LockUnavailableException.class);
    }

    @Test
    void whenTheFirstGivesUpAnOutageThoseBehindDoNotEachWaitForIt() {
        busyAt("7", 0);
        CompletableFuture<Lease> first = waiter();
        CompletableFuture<Lease> second = waiter();
        CompletableFuture<Lease> third = waiter();
        rig.redis.silent("acquire");
        rig.pass(Duration.ofSeconds(25));
        for (CompletableFuture<Lease> waiter : List.of(first, second, third)) {
            assertThat(failureOf(waiter)).isInstanceOf(LockUnavailableException.class);
        }
    }

    @Test
    void anOutageThatIsOverIsForgotten() {
        busyAt("7", 0);
        waiter(MINUTE);
        CompletableFuture<Lease> second = waiter(Duration.ofSeconds(20));
        rig.redis.fails("acquire", new TransportException("down", false, null));
        rig.pass(Duration.ofSeconds(9));
        busyAt("7", 0);
        rig.pass(Duration.ofSeconds(20));
        assertThat(failureOf(second)).isInstanceOf(LockNotAcquiredException.class);
    }

    @Test
    void aPauseThatAWakeUpEndedLeavesNothingInTheTimingWheel() {
        busyAt("7", 0);
        CompletableFuture<Lease> first = waiter();
        CompletableFuture<Lease> second = waiter();
        int planned = rig.time.planned();
        for (int i = 0; i < 10; i++) {
            wake("7 " + KEY);
        }
        assertThat(rig.time.planned()).isEqualTo(planned);
        first.cancel(false);
        second.cancel(false);
        assertThat(rig.time.planned()).isEqualTo(planned - 2);
    }
}
