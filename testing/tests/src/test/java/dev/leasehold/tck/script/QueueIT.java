package dev.leasehold.tck.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.store.AcquireHold.Answer;
import dev.leasehold.internal.store.AcquireHold.Code;
import dev.leasehold.internal.store.InspectLock;
import dev.leasehold.internal.store.LeaveQueue;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.SendHeartbeats;
import dev.leasehold.internal.store.Waiter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Waiters in the hash of the lock: positions, ranks, wake-ups, and the removal of dead waiters. */
class QueueIT extends BenchBase {

    private static final long LAPSED = 7 * Bench.SECOND;

    private void woken(Wire wire, String channel) {
        assertThat(wire.receive())
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
                .satisfies(message -> {
                    assertThat(message.subList(0, 2)).isEqualTo(List.of("message", channel));
                    assertThat((String) message.get(2)).matches("\\d+ \\Q" + lock.key.key() + "\\E");
                });
    }

    private Answer waits(String id, String channel, long position) {
        Answer answer = lock.acquire(id).waiting(channel, position).now();
        assertThat(answer.code()).isEqualTo(Code.BUSY);
        return answer;
    }

    /** Waiters poll every five seconds. Found by simulation: a release forgot them after the token memory. */
    @Test
    void aPositionIsKeptForFifteenSecondsHoweverShortTheTokenMemory() {
        lock.close();
        lock = new Bench(redis, Duration.ofMillis(10));
        // Shorter than what is expected of the key, and longer than any stall of the machine.
        long lease = 10 * Bench.SECOND;
        lock.acquire("a").lasting(lease).now();
        waits("b", "w:b", 0);
        for (Runnable step : List.<Runnable>of(
                () -> lock.renew("a", lease),
                () -> lock.goOn("a", lease, 0, 1),
                () -> lock.release("a"),
                () -> lock.acquire("c").lasting(lease).now(),
                lock::force,
                () -> lock.acquire("d").lasting(lease).now(),
                () -> lock.acquire("d").lasting(lease).now())) {
            long before = lock.time();
            step.run();
            assertThat(lock.expiry() * Bench.MILLI).isGreaterThan(before + 15 * Bench.SECOND);
            // The remains of another step must not be taken for the result of the next.
            lock.command("PEXPIRE", lock.key.key(), "5000");
        }
    }

    private void lapse(long position) {
        String value = lock.field("q:" + position);
        int digits = Long.toString(lock.time()).length();
        lock.put("q:" + position, Long.parseLong(value.substring(0, digits)) - LAPSED - 1 + value.substring(digits));
    }

    /** Ends a hold that was so short that another may follow it immediately. */
    private void free(String id) {
        heldSince(id, Bench.HOUR);
        end(id);
    }

    private void heldSince(String id, long fromNow) {
        String hold = lock.field("h:" + id);
        if (hold != null) {
            lock.put("h:" + id, hold.substring(0, hold.lastIndexOf(':') + 1) + (lock.time() + fromNow));
        }
    }

    private void end(String id) {
        assertThat(lock.release(id).code()).isEqualTo(ReleaseHold.Code.RELEASED);
    }

    @Test
    void aRequestWithoutAWaitLeavesNoTrace() {
        lock.acquire("a1").now();
        Map<String, Object> before = lock.everything();
        Answer busy = lock.acquire("b1").now();
        assertThat(busy.code()).isEqualTo(Code.BUSY);
        assertThat(busy.position()).isZero();
        assertThat(lock.everything()).isEqualTo(before);
    }

    @Test
    void positionsAreNumberedInSequenceAndReportTheirRank() {
        lock.acquire("a1").now();
        Answer first = waits("b1", "B", 0);
        Answer second = waits("c1", "C", 0);
        Answer third = waits("d1", "D", 0);
        assertThat(first.position()).isCloseTo(lock.time(), org.assertj.core.data.Offset.offset(Bench.SECOND));
        assertThat(second.position()).isEqualTo(first.position() + 1);
        assertThat(third.position()).isEqualTo(first.position() + 2);
        assertThat(List.of(first.rank(), second.rank(), third.rank())).containsExactly(0, 1, 2);
        assertThat(lock.field("wn")).isEqualTo("3");
    }

    @Test
    void aPollKeepsThePositionAndItsHeartbeat() {
        lock.acquire("a1").now();
        Answer first = waits("b1", "B", 0);
        lapse(first.position());
        Answer poll = waits("b1", "B", first.position());
        assertThat(poll.position()).isEqualTo(first.position());
        assertThat(poll.rank()).isZero();
        assertThat(lock.field("wn")).isEqualTo("1");
        assertThat(Long.parseLong(lock.field("q:" + first.position()).split(":")[0]))
                .isEqualTo(poll.now().micros());
    }

    /** The answer was lost, so the request is repeated without a position. */
    @Test
    void aRepeatKeepsThePositionOfTheFirstRequest() {
        lock.acquire("a1").now();
        waits("b1", "B", 0);
        Answer first = waits("c1", "C", 0);
        waits("d1", "D", 0);
        Answer again = waits("c1", "C", 0);
        assertThat(again.position()).isEqualTo(first.position());
        assertThat(again.rank()).isEqualTo(1);
        assertThat(lock.field("wn")).isEqualTo("3");
        assertThat(waits("c2", "C", 0).position()).as("of another acquisition").isGreaterThan(first.position() + 1);
        assertThat(waits("c1", "X", 0).position()).as("of another client").isGreaterThan(first.position() + 2);
    }

    /** The answer that brought the second position was lost. */
    @Test
    void aRepeatOfAWaiterWhosePositionLapsedKeepsTheOneThatItWasGivenInstead() {
        lock.acquire("a1").now();
        long lapsed = waits("b1", "B", 0).position();
        long next = waits("c1", "C", 0).position();
        lapse(lapsed);
        waits("c1", "C", next);
        long given = waits("b1", "B", lapsed).position();
        assertThat(given).isGreaterThan(next);
        assertThat(waits("b1", "B", lapsed).position()).isEqualTo(given);
        assertThat(lock.field("wn")).isEqualTo("2");
    }

    @Test
    void aGrantToARepeatRemovesThePositionOfTheFirstRequest() {
        lock.acquire("a1").now();
        waits("b1", "B", 0);
        free("a1");
        assertThat(lock.acquire("b1").waiting("B", 0).now().code()).isEqualTo(Code.GRANTED);
        assertThat(lock.field("wn")).isNull();
    }

    @Test
    void whoGotNoAnswerGivesUpThePositionThatItMayHave() {
        Wire c = subscribes("C");
        lock.acquire("a1").now();
        Answer head = waits("b1", "B", 0);
        waits("c1", "C", 0);
        assertThat(lock.leave("B", "b2").code()).isEqualTo(LeaveQueue.Code.GONE);
        assertThat(lock.leave("X", "b1").code()).as("not its own").isEqualTo(LeaveQueue.Code.GONE);
        free("a1");
        assertThat(lock.leave("B", "b1").code()).isEqualTo(LeaveQueue.Code.LEFT);
        woken(c, "C");
        assertThat(lock.field("q:" + head.position())).isNull();
        assertThat(lock.leave("B", "b1").code()).isEqualTo(LeaveQueue.Code.GONE);
    }

    @Test
    void whoGotNoAnswerGivesUpThePositionThatItWasGivenInstead() {
        lock.acquire("a1").now();
        long lapsed = waits("b1", "B", 0).position();
        long other = waits("c1", "C", 0).position();
        lapse(lapsed);
        waits("c1", "C", other);
        long given = waits("b1", "B", lapsed).position();
        assertThat(given).isGreaterThan(other);
        assertThat(lock.leave("B", lapsed).code()).isEqualTo(LeaveQueue.Code.GONE);
        assertThat(lock.leave("B", lapsed, "b1").code()).isEqualTo(LeaveQueue.Code.LEFT);
        assertThat(lock.field("q:" + given)).isNull();
        assertThat(lock.field("wn")).isEqualTo("1");
    }

    @Test
    void aPositionThatOthersOfTheClientKeepStays() {
        lock.acquire("a1").now();
        long shared = waits("b1", "B", 0).position();
        assertThat(lock.leave("B", shared, "b1").code()).isEqualTo(LeaveQueue.Code.GONE);
        assertThat(lock.field("q:" + shared)).isNotNull();
    }

    @Test
    void aPositionTellsWhoWaitsSinceWhenAndForWhat() {
        lock.acquire("a1").now();
        Answer first = lock.acquire("b1")
                .by(new Holder("17@höst", "a thread\nwith lines", ""))
                .waiting("B", 0)
                .now();
        lock.acquire("c1").as("order 17\nß").waiting("C{x}", 0).now();
        lock.acquire("d1").reading().waiting("D", 0).now();
        lock.acquire("e1").permits(3, 5).waiting("E", 0).now();
        lapse(first.position() + 2);
        lock.put("q:" + (first.position() + 4), lock.time() + ":of-another-language");
        assertThat(lock.inspect().state().waiters())
                .extracting(
                        InspectLock.Waiting::reads,
                        InspectLock.Waiting::permits,
                        InspectLock.Waiting::alive,
                        waiting -> waiting.since() == null,
                        waiting -> waiting.holder().who(),
                        waiting ->
                                waiting.owner() == null ? "" : waiting.owner().name())
                .containsExactly(
                        tuple(false, 0, true, false, "17@höst a thread with lines", ""),
                        tuple(false, 0, true, false, "17@host main", "order 17\nß"),
                        tuple(true, 0, false, false, "17@host main", ""),
                        tuple(false, 3, true, false, "17@host main", ""),
                        tuple(false, 0, true, true, " ", ""));
    }

    @Test
    void whatAPositionTellsIsThatOfTheLastPollAndItsBeginningStays() {
        lock.acquire("a1").now();
        Answer first = lock.acquire("b1")
                .by(new Holder("17@host", "first", ""))
                .waiting("B", 0)
                .now();
        Instant since = Instant.EPOCH.plus(first.now().micros(), ChronoUnit.MICROS);
        lock.acquire("b2")
                .by(new Holder("17@host", "second", ""))
                .waiting("B", first.position())
                .now();
        lock.poll("B", first.position());
        assertThat(lock.inspect().state().waiters()).singleElement().satisfies(waiting -> {
            assertThat(waiting.holder().thread()).isEqualTo("second");
            assertThat(waiting.since()).isEqualTo(since);
        });
    }

    @Test
    void oneCallKeepsPositionsWithTheirHeartbeatsAndReportsTheirRanks() {
        lock.acquire("a1").now();
        long first = waits("b1", "B", 0).position();
        long second = waits("c1", "C", 0).position();
        long third = waits("d1", "D{x}", 0).position();
        for (long position : List.of(first, second, third)) {
            String[] parts = lock.field("q:" + position).split(":", 2);
            lock.put("q:" + position, Long.parseLong(parts[0]) - 6 * Bench.SECOND + ":" + parts[1]);
        }
        SendHeartbeats.Result head = lock.poll("B", first);
        assertThat(head.code()).isEqualTo(SendHeartbeats.Code.HEAD);
        assertThat(head.leftNanos()).isBetween(Bench.HOUR * 900, Bench.HOUR * 1000);
        assertThat(lock.poll("C", second)).isEqualTo(new SendHeartbeats.Result(SendHeartbeats.Code.NEXT, 0));
        assertThat(lock.poll("D{x}", third)).isEqualTo(new SendHeartbeats.Result(SendHeartbeats.Code.STAYS, 0));
        for (long position : List.of(first, second, third)) {
            assertThat(Long.parseLong(lock.field("q:" + position).split(":", 2)[0]))
                    .isGreaterThan(lock.time() - 5 * Bench.SECOND);
        }
        assertThat(lock.field("q:" + third)).contains(":D{x} ");
        assertThat(lock.field("wn")).isEqualTo("3");
    }

    @Test
    void aWideGapInOneQueueHidesNoPositionOfAnotherInTheSameCall() {
        lock.acquire("a1").now();
        waits("b1", "B", 0);
        long second = waits("c1", "C", 0).position();
        try (Bench gap = new Bench(redis, "gap", memory())) {
            gap.acquire("x1").now();
            long first = gap.acquire("y1").waiting("C", 0).now().position();
            String waiter = gap.field("q:" + first);
            gap.command("HDEL", gap.key.key(), "q:" + first);
            long last = first + 25_000;
            for (long n = last - 599; n <= last; n++) {
                gap.put("q:" + n, waiter);
            }
            gap.put("qt", last);
            gap.put("wn", 600);
            List<SendHeartbeats.Result> results = lock.poll(List.of(
                    new SendHeartbeats.Entry(gap.key, new Waiter("C", last)),
                    new SendHeartbeats.Entry(lock.key, new Waiter("C", second))));
            assertThat(results)
                    .extracting(SendHeartbeats.Result::code)
                    .containsExactly(SendHeartbeats.Code.STAYS, SendHeartbeats.Code.NEXT);
        }
    }

    @Test
    void oneCallRemovesTheDeadWaitersInFront() {
        lock.acquire("a1").now();
        long dead = waits("b1", "B", 0).position();
        long next = waits("c1", "C", 0).position();
        lapse(dead);
        assertThat(lock.poll("C", next).code()).isEqualTo(SendHeartbeats.Code.HEAD);
        assertThat(lock.field("q:" + dead)).isNull();
    }

    @Test
    void aWaiterOfAnOpenLockOrWithoutAPositionMustPollAndNothingIsChanged() {
        lock.acquire("a1").now();
        long position = waits("b1", "B", 0).position();
        Map<String, Object> before = lock.everything();
        assertThat(lock.poll("B", position + 1).code()).isEqualTo(SendHeartbeats.Code.ASKS);
        assertThat(lock.poll("X", position).code()).as("not its own").isEqualTo(SendHeartbeats.Code.ASKS);
        assertThat(lock.everything()).isEqualTo(before);
        end("a1");
        before = lock.everything();
        assertThat(lock.poll("B", position).code()).isEqualTo(SendHeartbeats.Code.ASKS);
        assertThat(lock.everything()).isEqualTo(before);
    }

    @Test
    void oneLockInTroubleCostsTheOthersOfACallNothing() {
        lock.acquire("a1").now();
        long position = waits("b1", "B", 0).position();
        LockKey text = LockKey.of(new KeyPrefix("leasehold"), "text");
        LockKey broken = LockKey.of(new KeyPrefix("leasehold"), "broken");
        lock.command("SET", text.key(), "text");
        lock.command("HSET", broken.key(), "v", "1", "own", "x", "h:x", "no hold", "q:7", "1:B");
        List<SendHeartbeats.Result> results = lock.poll(List.of(
                new SendHeartbeats.Entry(text, new Waiter("B", 7)),
                new SendHeartbeats.Entry(broken, new Waiter("B", 7)),
                new SendHeartbeats.Entry(lock.key, new Waiter("B", position))));
        assertThat(results)
                .extracting(SendHeartbeats.Result::code)
                .containsExactly(SendHeartbeats.Code.ASKS, SendHeartbeats.Code.FAILED, SendHeartbeats.Code.HEAD);
    }

    @Test
    void aReleaseWakesOnlyTheHeadAndRemovesNoWaiter() {
        Wire b = subscribes("B");
        Wire c = subscribes("C");
        lock.acquire("a1").now();
        Answer head = waits("b1", "B", 0);
        Answer next = waits("c1", "C", 0);
        free("a1");
        woken(b, "B");
        assertThat(lock.field("wn")).isEqualTo("2");
        assertThat(lock.acquire("b1").waiting("B", head.position()).now().code())
                .isEqualTo(Code.GRANTED);
        assertThat(lock.field("wn")).isEqualTo("1");
        free("b1");
        woken(c, "C");
        assertThat(lock.acquire("c1").waiting("C", next.position()).now().code())
                .isEqualTo(Code.GRANTED);
        assertThat(lock.fields()).doesNotContainKeys("wn", "qh", "qt", "qn", "wb", "rv", "re");
    }

    @Test
    void aWakeUpWithoutASubscriberGoesToTheNext() {
        Wire c = subscribes("C");
        lock.acquire("a1").now();
        Answer deaf = waits("b1", "B", 0);
        waits("c1", "C", 0);
        free("a1");
        woken(c, "C");
        assertThat(lock.fields()).containsKey("q:" + deaf.position());
    }

    @Test
    void afterAWakeUpThatRedisRefusedWaitersPollUntilOneIsPublished() {
        redis.command("ACL", "SETUSER", "mute", "on", "nopass", "~*", "&*", "+@all", "-publish");
        redis.command("ACL", "SETUSER", "loud", "on", "nopass", "~*", "&*", "+@all");
        Wire b = subscribes("B");
        lock.acquire("a1").now();
        Answer first = waits("b1", "B", 0);
        assertThat(first.polls()).isFalse();

        lock.command("AUTH", "mute", "any");
        free("a1");
        lock.acquire("c1").now();
        assertThat(waits("b1", "B", first.position()).polls()).isTrue();
        assertThat(waits("d1", "D", 0).polls()).isTrue();
        assertThat(lock.poll("B", first.position()).code()).isEqualTo(SendHeartbeats.Code.ASKS);

        lock.command("AUTH", "loud", "any");
        free("c1");
        woken(b, "B");
        lock.acquire("e1").now();
        assertThat(waits("b1", "B", first.position()).polls()).isFalse();
        assertThat(lock.poll("B", first.position()).code()).isEqualTo(SendHeartbeats.Code.HEAD);
        assertThat(lock.fields()).doesNotContainKey("wr");
    }

    @Test
    void aWaiterWithoutAHeartbeatForSevenSecondsIsConsideredDeadAndJoinsAgain() {
        Wire c = subscribes("C");
        Wire b = subscribes("B");
        lock.acquire("a1").now();
        Answer dead = waits("b1", "B", 0);
        Answer next = waits("c1", "C", 0);
        Answer last = waits("d1", "D", 0);
        lapse(dead.position());
        free("a1");
        woken(c, "C");
        assertThat(lock.fields()).doesNotContainKey("q:" + dead.position());
        lock.acquire("c1").waiting("C", next.position()).now();
        Answer back = waits("b2", "B", dead.position());
        assertThat(back.position()).isGreaterThan(last.position());
        free("c1");
        woken(b, "B");
    }

    @Test
    void aWokenWaiterThatLeavesWakesTheNext() {
        Wire b = subscribes("B");
        Wire c = subscribes("C");
        lock.acquire("a1").now();
        Answer head = waits("b1", "B", 0);
        waits("c1", "C", 0);
        assertThat(lock.leave("B", 1).code()).isEqualTo(LeaveQueue.Code.GONE);
        assertThat(lock.leave("X", head.position()).code()).as("not its own").isEqualTo(LeaveQueue.Code.GONE);
        free("a1");
        woken(b, "B");
        assertThat(lock.leave("B", head.position()).code()).isEqualTo(LeaveQueue.Code.LEFT);
        woken(c, "C");
    }

    @Test
    void aWaiterThatLeavesWhileTheLockIsHeldWakesNone() {
        Wire c = subscribes("C");
        lock.acquire("a1").now();
        Answer head = waits("b1", "B", 0);
        waits("c1", "C", 0);
        lock.leave("B", head.position());
        lock.command("PUBLISH", "C", "nothing came before");
        assertThat(c.receive()).isEqualTo(List.of("message", "C", "nothing came before"));
    }

    @Test
    void theHeadHasTheLockForItselfAfterItWasOvertakenEightTimes() {
        Wire b = subscribes("B");
        lock.acquire("a0").now();
        Answer head = waits("b1", "B", 0);
        for (int i = 0; i < 8; i++) {
            free("a" + i);
            woken(b, "B");
            assertThat(lock.acquire("a" + (i + 1)).now().code()).isEqualTo(Code.GRANTED);
        }
        free("a8");
        woken(b, "B");
        reserve(Bench.HOUR, Bench.HOUR);
        assertThat(lock.acquire("a9").now().code()).isEqualTo(Code.BUSY);
        assertThat(lock.acquire("b1").waiting("B", head.position()).now().code())
                .isEqualTo(Code.GRANTED);
    }

    @Test
    void aLapsedWaiterThatAcquiresTheLockIsRemovedOnce() {
        lock.acquire("a1").now();
        Answer head = waits("b1", "B", 0);
        Answer next = waits("c1", "C", 0);
        end("a1");
        lock.command("HDEL", lock.key.key(), "rv", "re");
        lapse(head.position());
        assertThat(lock.acquire("b1").waiting("B", head.position()).now().code())
                .isEqualTo(Code.GRANTED);
        assertThat(lock.field("wn")).isEqualTo("1");
        assertThat(lock.acquire("c1").waiting("C", next.position()).now().rank())
                .isZero();
    }

    @Test
    void theHolderOfALongHoldYieldsAtOnce() {
        Wire b = subscribes("B");
        lock.acquire("a1").now();
        Answer head = waits("b1", "B", 0);
        heldSince("a1", -1000);
        end("a1");
        woken(b, "B");
        assertThat(lock.field("rv")).isEqualTo(Long.toString(head.position()));
        reserve(Bench.HOUR, Bench.HOUR);
        assertThat(lock.acquire("a2").now().code()).isEqualTo(Code.BUSY);
    }

    @Test
    void aReservationForADeadHeadEndsAfterFiftyMilliseconds() {
        Wire b = subscribes("B");
        lock.acquire("a1").now();
        Answer head = waits("b1", "B", 0);
        lock.put("wb", 8);
        Answer released = lock.acquire("x").now();
        free("a1");
        woken(b, "B");
        String[] until = lock.field("re").split(":", -1);
        assertThat(lock.field("rv")).isEqualTo(Long.toString(head.position()));
        assertThat(Long.parseLong(until[0]) - released.now().micros()).isPositive();
        assertThat(until[1]).isEqualTo("50000");
        reserve(Bench.HOUR, Bench.HOUR);
        assertThat(lock.acquire("c1").now().code()).isEqualTo(Code.BUSY);
        reserve(-1, Bench.HOUR);
        assertThat(lock.acquire("c1").now().code()).isEqualTo(Code.GRANTED);
    }

    /** Changes the reservation: its remaining time from now on, and its original length. */
    private void reserve(long lasts, long length) {
        lock.put("re", lock.time() + lasts + ":" + length);
    }

    @Test
    void aReservationFromBeforeAStepBackOfTheClockIsNone() {
        Wire b = subscribes("B");
        lock.acquire("a1").now();
        waits("b1", "B", 0);
        lock.put("wb", 8);
        free("a1");
        woken(b, "B");
        reserve(Bench.HOUR, 50_000);
        assertThat(lock.acquire("c1").now().code()).isEqualTo(Code.GRANTED);
    }

    @Test
    void aHeartbeatFromBeforeAStepBackOfTheClockCountsFromNowOn() {
        lock.acquire("a1").now();
        Answer dead = waits("b1", "B", 0);
        Answer next = waits("c1", "C", 0);
        lock.put("q:" + dead.position(), lock.time() + Bench.HOUR + ":B");
        waits("c1", "C", next.position());
        assertThat(Long.parseLong(lock.field("q:" + dead.position()).split(":", -1)[0]))
                .isLessThanOrEqualTo(lock.time());
        lapse(dead.position());
        assertThat(waits("c1", "C", next.position()).rank()).isZero();
    }

    @Test
    void aPositionIsNotAssignedTwiceEvenIfTheDataWereLost() {
        lock.acquire("a1").now();
        Answer before = waits("b1", "B", 0);
        lock.command("FLUSHALL");
        lock.acquire("a2").now();
        Answer other = waits("c1", "C", 0);
        assertThat(other.position()).isGreaterThan(before.position());
        Answer back = waits("b1", "B", before.position());
        assertThat(back.position()).as("its old one, which is free").isNotEqualTo(other.position());
    }

    @Test
    void afterALossOfDataAWaiterGetsItsOldPositionBackIfItIsNear() {
        lock.acquire("a1").now();
        Answer first = waits("b1", "B", 1_000_000);
        assertThat(first.position()).as("in an empty queue").isEqualTo(1_000_000);
        assertThat(waits("c1", "C", 1_001_000).position()).isEqualTo(1_001_000);
        assertThat(waits("d1", "D", 1_000_500).position())
                .as("no longer at the end")
                .isEqualTo(1_001_001);
        // Otherwise the search for the next would be a walk over a billion positions.
        assertThat(waits("e1", "E", 1_002_002).position()).as("too far").isEqualTo(1_001_002);
    }

    @Test
    void behindAHeadThatStaysTheSearchForTheNextIsNotRepeated() {
        lock.acquire("a1").now();
        Answer head = waits("b1", "B", 0);
        for (int i = 0; i < 500; i++) {
            // A head that does not poll lapses.
            waits("b1", "B", head.position());
            Answer passing = waits("c" + i, "C", 0);
            lock.leave("C", passing.position());
        }
        Answer next = waits("d1", "D", 0);
        assertThat(next.rank()).isEqualTo(1);
        long before = calls("hmget");
        waits("b1", "B", head.position());
        waits("d1", "D", next.position());
        assertThat(calls("hmget") - before).isLessThan(12);
        lock.leave("B", head.position());
        assertThat(waits("d1", "D", next.position()).rank()).isZero();
        assertThat(calls("hmget") - before).isLessThan(24);
    }

    private long calls(String command) {
        String count = redis.info("commandstats").getOrDefault("cmdstat_" + command, "calls=0,");
        return Long.parseLong(count.substring("calls=".length(), count.indexOf(',')));
    }

    @Test
    void anAcquireRemovesNoOtherWaiterFromTheQueue() {
        lock.acquire("a1").now();
        Answer head = waits("b1", "B", 0);
        free("a1");
        assertThat(lock.acquire("x1").waiting("X", head.position()).now().code())
                .isEqualTo(Code.GRANTED);
        assertThat(lock.fields()).containsKey("q:" + head.position()).containsEntry("wb", "1");
    }

    @Test
    void aFullQueueTurnsFurtherWaitersToPolling() {
        lock.acquire("a1").now();
        for (int i = 0; i < 64; i++) {
            assertThat(waits("b" + i, "B" + i, 0).position()).isPositive();
        }
        Answer none = waits("c", "C", 0);
        assertThat(none.position()).isZero();
        assertThat(none.rank()).isEqualTo(2);
        assertThat(lock.field("wn")).isEqualTo("64");
    }

    @Test
    void aForcedReleaseWakesTheHead() {
        Wire b = subscribes("B");
        lock.acquire("a1").now();
        waits("b1", "B", 0);
        lock.force();
        woken(b, "B");
    }

    @Test
    void theKeyOutlivesItsWaiters() {
        lock.acquire("a1").lasting(Bench.SECOND).now();
        Answer position = waits("b1", "B", 0);
        assertThat(lock.expiry()).isGreaterThanOrEqualTo((position.now().micros() + 15 * Bench.SECOND) / 1000);
    }
}
