package dev.leasehold.internal.latch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.ForeignKeyException;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.recipes.DistributedLatch;
import dev.leasehold.recipes.LatchNotSetException;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** When those who wait for a latch look, what they are woken by, and how each call to a latch ends. */
class LatchAwaitTest {

    private static final String KEY = EngineRig.KEY.key();
    private static final long HOUR = 3_600_000_000L;

    private final EngineRig rig = new EngineRig();
    private final DistributedLatch latch = rig.engine.latch(EngineRig.KEY);

    private CompletableFuture<Boolean> waiter() {
        return latch.awaitAsync().toCompletableFuture();
    }

    private CompletableFuture<Boolean> waiter(Duration wait) {
        return latch.awaitAsync(wait).toCompletableFuture();
    }

    private void counting(String place) {
        counting(place, HOUR);
    }

    /** As Redis answers: the place only to who wants one. */
    private void counting(String place, long left) {
        rig.redis.answers(
                "latch_look",
                call -> call.args().get(0).isEmpty()
                        ? rig.redis.reply("counting", Long.toString(left), "2")
                        : rig.redis.reply("counting", Long.toString(left), "2", place));
    }

    private void reached() {
        rig.redis.answers("latch_look", call -> rig.redis.reply("reached"));
    }

    private int looks() {
        return rig.redis.sent("latch_look").size();
    }

    private void wake() {
        rig.redis.listeners.forEach(listener -> listener.message("0 " + KEY));
    }

    private static Throwable failureOf(CompletableFuture<?> future) {
        assertThat(future).isCompletedExceptionally();
        return future.handle((value, failure) -> failure).join();
    }

    @Test
    void whoIsWokenLooksOnceAndTellsAllOthersOfItsClient() {
        counting("1");
        List<CompletableFuture<Boolean>> waiters = List.of(waiter(), waiter(), waiter());
        assertThat(rig.redis.listeners).hasSize(1);
        int before = looks();
        reached();
        wake();
        assertThat(waiters).allSatisfy(one -> assertThat(one).isCompletedWithValue(true));
        assertThat(looks()).isEqualTo(before + 1);
        assertThat(rig.latchWaiters().size()).isZero();
    }

    // Found by the simulation: an answer that came late told of a latch that was gone, and set anew, when the second
    // began to wait.
    @Test
    void whoComesAfterALookWasSentIsNotToldWhatItSaw() {
        rig.redis.silent("latch_look");
        CompletableFuture<Boolean> first = waiter();
        rig.pass(Duration.ofMillis(20));
        CompletableFuture<Boolean> second = waiter();
        rig.redis.last("latch_look").answer().complete(rig.redis.reply("counting", Long.toString(HOUR), "2"));
        rig.redis.sent("latch_look").get(0).answer().complete(rig.redis.reply("reached"));
        assertThat(first).isCompletedWithValue(true);
        assertThat(second).isNotDone();
        reached();
        wake();
        assertThat(second).isCompletedWithValue(true);
        assertThat(rig.latchWaiters().size()).isZero();
    }

    @Test
    void aClientTakesOnePlaceHoweverManyWait() {
        rig.redis.silent("latch_look");
        CompletableFuture<Boolean> first = waiter();
        CompletableFuture<Boolean> second = waiter();
        // While the first takes the place the second takes none.
        assertThat(rig.redis.sent("latch_look").stream().map(one -> one.call().args()))
                .containsExactly(List.of("leasehold:w:client-1", "0"), List.of("", "0"));
        rig.redis.sent("latch_look").get(0).answer().complete(rig.redis.reply("counting", "3600000000", "2", "5"));
        // Once more when the subscription is there: what was published before may be lost.
        assertThat(rig.redis.last("latch_look").call().args()).containsExactly("leasehold:w:client-1", "5");
        CompletableFuture<Boolean> third = waiter();
        assertThat(rig.redis.last("latch_look").call().args()).containsExactly("leasehold:w:client-1", "5");
        assertThat(third).isNotDone();
        assertThat(first).isNotDone();
        assertThat(second).isNotDone();
    }

    @Test
    void aLostWakeUpIsMadeGoodByALookWithinFiveSecondsAndTheLooksOfAClientAreShared() {
        counting("1");
        List<CompletableFuture<Boolean>> waiters = List.of(waiter(), waiter(), waiter(), waiter());
        rig.pass(Duration.ofSeconds(6));
        int before = looks();
        rig.pass(Duration.ofMinutes(1));
        assertThat(looks() - before).isBetween(11, 16);
        reached();
        rig.pass(Duration.ofSeconds(5));
        assertThat(waiters).allSatisfy(one -> assertThat(one).isCompletedWithValue(true));
    }

    @Test
    void whoGotNoPlaceLooksEverySecond() {
        counting("0");
        CompletableFuture<Boolean> waiter = waiter();
        int before = looks();
        rig.pass(Duration.ofSeconds(20));
        assertThat(looks() - before).isBetween(18, 22);
        assertThat(waiter).isNotDone();
    }

    @Test
    void aSubscriptionThatCameBackLetsAllLook() {
        counting("1");
        CompletableFuture<Boolean> waiter = waiter();
        reached();
        rig.redis.listeners.forEach(listener -> listener.resubscribed());
        assertThat(waiter).isCompletedWithValue(true);
    }

    @Test
    void theEndOfTheLatchIsSeenWhenItComes() {
        counting("1", 2_000_000);
        CompletableFuture<Boolean> waiter = waiter();
        rig.redis.answers("latch_look", call -> rig.redis.reply("none"));
        rig.pass(Duration.ofMillis(1990));
        assertThat(waiter).isNotDone();
        rig.pass(Duration.ofMillis(20));
        assertThat(failureOf(waiter))
                .isInstanceOf(LatchNotSetException.class)
                .hasMessageContaining("'a'")
                .hasMessageContaining("over before its count");
    }

    @Test
    void theLookAtTheEndOfTheTimeIsNotSparedAndAWakeUpCountsUntilThen() {
        counting("1");
        CompletableFuture<Boolean> first = waiter();
        CompletableFuture<Boolean> timed = waiter(Duration.ofSeconds(3));
        rig.pass(Duration.ofMillis(2960));
        int before = looks();
        rig.pass(Duration.ofMillis(39));
        assertThat(looks()).isGreaterThan(before);
        assertThat(timed).isNotDone();
        rig.pass(Duration.ofMillis(1));
        assertThat(timed).isCompletedWithValue(false);
        assertThat(first).isNotDone();
    }

    @Test
    void redisThatDoesNotAnswerIsNeitherReachedNorTimedOut() {
        counting("1");
        CompletableFuture<Boolean> timed = waiter(Duration.ofSeconds(7));
        CompletableFuture<Boolean> unlimited = waiter();
        rig.redis.fails("latch_look", new TransportException("down", false, null));
        rig.pass(Duration.ofSeconds(8));
        assertThat(failureOf(timed)).isInstanceOf(LockUnavailableException.class);
        assertThat(unlimited).isNotDone();
        rig.pass(Duration.ofSeconds(10));
        assertThat(failureOf(unlimited))
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContaining("latch 'a'");
    }

    @Test
    void anOutageThatPassesIsNotTold() {
        counting("1");
        CompletableFuture<Boolean> waiter = waiter();
        rig.redis.fails("latch_look", new TransportException("down", false, null));
        rig.pass(Duration.ofSeconds(9));
        reached();
        rig.pass(Duration.ofSeconds(5));
        assertThat(waiter).isCompletedWithValue(true);
    }

    @Test
    void aRefusalIsToldAtOnce() {
        rig.redis.fails("latch_look", new RedisErrorException("NOPERM this user has no permissions"));
        assertThat(failureOf(waiter()))
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContaining("Grant the user");
    }

    @Test
    void closingTheClientEndsTheWait() {
        counting("1");
        CompletableFuture<Boolean> waiter = waiter();
        rig.engine.shutDown();
        assertThat(failureOf(waiter)).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
        assertThat(rig.latchWaiters().size()).isZero();
    }

    @Test
    void whoIsCancelledLooksNoMore() {
        counting("1");
        CompletableFuture<Boolean> waiter = waiter();
        waiter.cancel(false);
        int before = looks();
        rig.pass(Duration.ofMinutes(1));
        assertThat(looks()).isEqualTo(before);
        assertThat(rig.latchWaiters().size()).isZero();
    }

    @Test
    void aWakeUpForAnotherLatchOrForNobodyIsNoLook() {
        counting("1");
        CompletableFuture<Boolean> waiter = waiter();
        int before = looks();
        rig.redis.listeners.forEach(listener ->
                listener.message("0 " + LockKey.of(EngineRig.PREFIX, "b").key()));
        assertThat(looks()).isEqualTo(before);
        assertThat(rig.redis.sent("leave")).isEmpty();
        assertThat(waiter).isNotDone();
    }

    @Test
    void aCallThatFailsIsRepeatedWithTheSameId() {
        int[] failures = {2};
        rig.redis.judges("latch_count_down", call -> {
            if (failures[0]-- > 0) {
                throw new TransportException("reset", true, null);
            }
            return rig.redis.reply("counted", "4");
        });
        assertThat(latch.countDown()).isEqualTo(4);
        assertThat(rig.redis.sent("latch_count_down").stream()
                        .map(sent -> sent.arg(0))
                        .distinct())
                .hasSize(1);
        assertThat(rig.redis.sent("latch_count_down")).hasSize(3);
    }

    @Test
    void aRequestThatCameTooLateIsSentAgainWithTheTrueTime() {
        int[] stale = {1};
        rig.redis.judges("latch_set", call -> stale[0]-- > 0 ? rig.redis.reply("stale") : rig.redis.reply("set"));
        assertThat(latch.trySet(3, Duration.ofMinutes(1))).isTrue();
        assertThat(rig.redis.sent("latch_set")).hasSize(2);
    }

    @Test
    void aCallWithoutAnAnswerTellsWhetherItMayHaveBeenExecuted() {
        rig.redis.fails("latch_count_down", new TransportException("refused", false, null));
        assertThatThrownBy(latch::countDown)
                .isInstanceOfSatisfying(
                        LockUnavailableException.class,
                        e -> assertThat(e.mayBeTaken()).isFalse())
                .hasMessageContaining("was not executed");
        rig.redis.fails("latch_count_down", new TransportException("reset", true, null));
        CompletionStage<Integer> counted = latch.countDownAsync();
        rig.pass(Duration.ofSeconds(3));
        assertThat(failureOf(counted.toCompletableFuture()))
                .isInstanceOfSatisfying(
                        LockUnavailableException.class,
                        e -> assertThat(e.mayBeTaken()).isTrue())
                .hasMessageContaining("may have been executed");
    }

    @Test
    void badInputIsRefusedBeforeAnythingIsSent() {
        assertThatThrownBy(() -> latch.trySet(0, Duration.ofMinutes(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("count 0")
                .hasMessageContaining("100000");
        assertThatThrownBy(() -> latch.trySetAsync(100_001, Duration.ofMinutes(1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> latch.trySet(1, Duration.ofMillis(49)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT0.049S");
        assertThatThrownBy(() -> latch.trySet(1, Duration.ofDays(366))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> latch.countDown(""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("count-down id");
        assertThatThrownBy(() -> latch.await(Duration.ofMillis(-1))).isInstanceOf(IllegalArgumentException.class);
        assertThat(rig.redis.sent).isEmpty();
    }

    /** As latch_set decides. The first answer is lost, and the process stands still for longer than the latch lasts. */
    @Test
    void aRepeatSetsNoLatchAgainThatHasEnded() {
        int[] sets = {0};
        rig.redis.judges("latch_set", call -> {
            if (rig.time.serverMicros() > Long.parseLong(call.args().get(3))) {
                return rig.redis.reply("stale");
            }
            if (sets[0]++ == 0) {
                rig.time.pauseProcess(Duration.ofSeconds(1));
                throw new TransportException("the connection broke", true, null);
            }
            return rig.redis.reply("set");
        });
        assertThatThrownBy(() -> latch.trySet(1, Duration.ofMillis(200))).isInstanceOf(LockUnavailableException.class);
        assertThat(sets[0]).isEqualTo(1);
    }

    @Test
    void callsOfARoundCarryItsNumberAndOthersNone() {
        rig.redis.answers("latch_look", call -> rig.redis.reply("counting", Long.toString(HOUR), "2", "1"));
        rig.redis.judges("latch_set", call -> rig.redis.reply("set"));
        rig.redis.judges("latch_count_down", call -> rig.redis.reply("counted", "1"));
        DistributedLatch round = latch.round(8).round(7);
        for (DistributedLatch view : List.of(latch, round)) {
            assertThat(view.name()).isEqualTo("a");
            view.trySet(2, Duration.ofMinutes(1));
            view.countDown("part");
            view.count();
        }
        assertThat(rig.redis.last("latch_set").call().args().subList(4, 5)).containsExactly("7");
        assertThat(rig.redis.last("latch_count_down").call().args()).hasSize(3).endsWith("7");
        assertThat(rig.redis.last("latch_look").call().args()).hasSize(3).endsWith("7");
        assertThat(rig.redis.sent("latch_set").get(0).call().args()).hasSize(4);
        assertThat(rig.redis.sent("latch_count_down").get(0).call().args()).hasSize(2);
        assertThat(rig.redis.sent("latch_look").get(0).call().args()).hasSize(2);
        assertThat(round).hasToString("round 7 of latch 'a'");
    }

    @Test
    void waitersOfTwoRoundsAreWokenTogetherAndEachIsToldOfItsOwn() {
        counting("1");
        CompletableFuture<Boolean> seventh = latch.round(7).awaitAsync().toCompletableFuture();
        CompletableFuture<Boolean> eighth = latch.round(8).awaitAsync().toCompletableFuture();
        assertThat(seventh).isNotDone();
        rig.redis.answers(
                "latch_look",
                call -> call.args().get(2).equals("7")
                        ? rig.redis.reply("reached")
                        : rig.redis.reply("counting", Long.toString(HOUR), "2", "1"));
        wake();
        assertThat(seventh).isCompletedWithValue(true);
        assertThat(eighth).isNotDone();
        eighth.cancel(false);
        assertThat(rig.latchWaiters().size()).isZero();
    }

    @Test
    void aRoundOutsideItsRangeIsRefusedBeforeAnythingIsSent() {
        for (long number : new long[] {-1, DistributedLatch.MAX_ROUND + 1, Long.MIN_VALUE}) {
            assertThatThrownBy(() -> latch.round(number))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("latch 'a'")
                    .hasMessageContaining(Long.toString(number));
        }
        assertThat(rig.redis.sent).isEmpty();
    }

    @Test
    void aRoundThatIsNotThereIsNamed() {
        rig.redis.answers("latch_look", call -> rig.redis.reply("none"));
        assertThatThrownBy(() -> latch.round(7).count())
                .isInstanceOf(LatchNotSetException.class)
                .hasMessageContaining("round 7 of latch 'a'")
                .hasMessageContaining("after a gap")
                .hasMessageContaining("the last one that was set");
        rig.redis.answers("latch_look", call -> rig.redis.reply("foreign", "layout latch 1"));
        assertThatThrownBy(() -> latch.round(7).count())
                .isInstanceOf(ForeignKeyException.class)
                .hasMessageContaining("without rounds");
    }
}
