package dev.leasehold.tck.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.store.AcquireHold.Answer;
import dev.leasehold.internal.store.AcquireHold.Code;
import dev.leasehold.internal.store.LeaveQueue;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A fair queue in the hash of the lock: no waiter overtakes, and dead waiters are skipped. */
class FairQueueIT extends BenchBase {

    private static final long TO_COME = Bench.SECOND;
    private static final long LAPSED = 7 * Bench.SECOND;

    @BeforeEach
    void prepare() {
        List.of("B", "C").forEach(this::subscribes);
    }

    private Answer polls(String id, String channel, long position) {
        return lock.acquire(id).fairly(channel, position).now();
    }

    private long waits(String id, String channel) {
        Answer answer = polls(id, channel, 0);
        assertThat(answer.code()).isEqualTo(Code.BUSY);
        assertThat(answer.position()).isPositive();
        return answer.position();
    }

    private Code tries(String id, String channel, long position) {
        return polls(id, channel, position).code();
    }

    private void reservedFor(long fromNow) {
        lock.put("re", lock.time() + fromNow + ":" + TO_COME);
    }

    @Test
    void eachWaiterOfAClientHasItsOwnPositionAndTheyAreServedInTheirOrder() {
        lock.acquire("a1").now();
        long first = waits("b1", "B");
        long second = waits("c1", "C");
        long third = waits("b2", "B");
        assertThat(List.of(second, third)).containsExactly(first + 1, first + 2);
        lock.release("a1");
        assertThat(tries("b2", "B", third)).isEqualTo(Code.BUSY);
        assertThat(tries("c1", "C", second)).isEqualTo(Code.BUSY);
        assertThat(tries("b1", "B", first)).isEqualTo(Code.GRANTED);
        lock.release("b1");
        assertThat(tries("b2", "B", third)).isEqualTo(Code.BUSY);
        assertThat(tries("c1", "C", second)).isEqualTo(Code.GRANTED);
        lock.release("c1");
        assertThat(tries("b2", "B", third)).isEqualTo(Code.GRANTED);
        assertThat(lock.fields()).doesNotContainKeys("wn", "qh", "qt", "qn", "rv", "re", "qf", "b:B", "b:C");
    }

    /** Found by simulation: a hold that was kept for a minimum ended earlier than the head knew, and the head counted as dead. */
    @Test
    void theHeadHearsOfAHoldThatEndsEarlierThanItKnew() {
        Wire head = subscribes("D");
        lock.acquire("a1").now();
        long position = waits("d1", "D");
        lock.resume("a2", "a1").lasting(2 * Bench.HOUR).now();
        lock.command("PUBLISH", "D", "nothing of a longer hold");
        lock.resume("a3", "a2").lasting(Bench.SECOND).now();
        assertThat(head.receive()).isEqualTo(List.of("message", "D", "nothing of a longer hold"));
        assertThat(head.receive()).isEqualTo(List.of("message", "D", position + " " + lock.key.key()));
    }

    @Test
    void aWaiterBehindAGapThatOneCallDoesNotPassWaits() {
        lock.acquire("a1").now();
        long first = waits("b1", "B");
        String waiter = lock.fields().get("q:" + first);
        lock.command("HDEL", lock.key.key(), "q:" + first);
        long last = first + 25_000;
        for (long n = last - 599; n <= last; n++) {
            lock.put("q:" + n, waiter);
        }
        lock.put("qt", Long.toString(last));
        lock.put("wn", "600");
        assertThat(waits("c1", "C")).isEqualTo(last + 1);
    }

    @Test
    void aHundredThousandWaitersHavePositionsAndFurtherOnesPoll() {
        lock.acquire("a1").now();
        waits("b1", "B");
        lock.put("wn", "99999");
        waits("b2", "B");
        Answer none = polls("c1", "C", 0);
        assertThat(none.code()).isEqualTo(Code.BUSY);
        assertThat(none.position()).isZero();
        assertThat(none.rank()).isEqualTo(2);
        assertThat(lock.fields()).containsEntry("wn", "100000");
    }

    @Test
    void aPollOverAChannelOfAShardIsAHeartbeatOfTheSameClient() {
        lock.acquire("a1").now();
        long first = waits("b1", "B");
        waits("b2", "B{7}");
        assertThat(lock.fields()).containsKey("b:B").doesNotContainKey("b:B{7}");
        lock.release("a1");
        assertThat(tries("b1", "B{7}", first)).isEqualTo(Code.GRANTED);
    }

    @Test
    void noRequestOvertakesNotEvenASingleOrUnfairAttempt() {
        lock.acquire("a1").now();
        long first = waits("b1", "B");
        lock.release("a1");
        reservedFor(TO_COME);
        assertThat(tries("x1", "", 0)).isEqualTo(Code.BUSY);
        assertThat(lock.acquire("x2").now().code()).isEqualTo(Code.BUSY);
        Answer late = polls("c1", "C", 0);
        assertThat(late.code()).isEqualTo(Code.BUSY);
        assertThat(late.rank()).isEqualTo(1);
        assertThat(tries("b1", "B", first)).isEqualTo(Code.GRANTED);
    }

    @Test
    void aSingleFairAttemptIsBusyWhileAPlainWaiterWaits() {
        lock.acquire("a1").now();
        Answer plain = lock.acquire("b1").waiting("B", 0).now();
        lock.release("a1");
        assertThat(tries("x1", "", 0)).isEqualTo(Code.BUSY);
        assertThat(lock.acquire("b1").waiting("B", plain.position()).now().code())
                .isEqualTo(Code.GRANTED);
    }

    @Test
    void aHeadThatDoesNotAcquireWithinASecondIsSkipped() {
        lock.acquire("a1").now();
        waits("b1", "B");
        long second = waits("c1", "C");
        lock.release("a1");
        assertThat(tries("c1", "C", second)).isEqualTo(Code.BUSY);
        reservedFor(-1);
        assertThat(tries("c1", "C", second)).isEqualTo(Code.GRANTED);
        assertThat(lock.fields()).doesNotContainKeys("wn", "rv");
    }

    @Test
    void theNextHeadHasASecondTooAndIsWoken() {
        lock.acquire("a1").now();
        waits("x1", "without a subscriber");
        long second = waits("b1", "B");
        long third = waits("c1", "C");
        lock.release("a1");
        reservedFor(-1);
        lock.put("rv", lock.field("qh"));
        Answer poll = polls("c1", "C", third);
        assertThat(poll.code()).isEqualTo(Code.BUSY);
        assertThat(lock.field("rv")).isEqualTo(Long.toString(second));
        assertThat(tries("b1", "B", second)).isEqualTo(Code.GRANTED);
    }

    /** From here on the connection may subscribe, and not publish. */
    private void mayNotPublish() {
        redis.command("ACL", "SETUSER", "mute", "on", "nopass", "~*", "&*", "+@all", "-publish");
        lock.command("AUTH", "mute", "any");
    }

    /** Lets a reservation grow older. */
    private void reservedBefore(long micros) {
        String[] reservation = lock.field("re").split(":", 2);
        lock.put("re", Long.parseLong(reservation[0]) - micros + ":" + reservation[1]);
    }

    @Test
    void aHeadThatRedisRefusesToWakeKeepsItsTurnUntilItHasPolled() {
        mayNotPublish();
        lock.acquire("a1").now();
        long first = waits("b1", "B");
        long second = waits("c1", "C");
        lock.release("a1");
        reservedBefore(6 * Bench.SECOND);
        assertThat(tries("c1", "C", second)).isEqualTo(Code.BUSY);
        assertThat(tries("b1", "B", first)).isEqualTo(Code.GRANTED);
    }

    @Test
    void aHeadThatRedisRefusesToWakeAndThatDoesNotPollIsSkippedAndTheNextKeepsItsTurn() {
        mayNotPublish();
        lock.acquire("a1").now();
        waits("x1", "without a poll");
        long second = waits("b1", "B");
        long third = waits("c1", "C");
        lock.release("a1");
        reservedBefore(7 * Bench.SECOND);
        assertThat(tries("c1", "C", third)).isEqualTo(Code.BUSY);
        assertThat(lock.field("rv")).isEqualTo(Long.toString(second));
        reservedBefore(6 * Bench.SECOND);
        assertThat(tries("c1", "C", third)).isEqualTo(Code.BUSY);
        assertThat(tries("b1", "B", second)).isEqualTo(Code.GRANTED);
    }

    @Test
    void aWaiterWithoutASubscriptionIsSkippedAtOnceButKeepsItsPosition() {
        lock.acquire("a1").now();
        long unsubscribed = waits("x1", "without a subscriber");
        long second = waits("b1", "B");
        lock.release("a1");
        assertThat(lock.field("rv")).isEqualTo(Long.toString(second));
        assertThat(tries("b1", "B", second)).isEqualTo(Code.GRANTED);
        lock.release("b1");
        assertThat(tries("x1", "without a subscriber", unsubscribed)).isEqualTo(Code.GRANTED);
    }

    /** It may know of a later end: the hold of a reader that was released since, for example. */
    @Test
    void afterAnUnreleasedHoldTheHeadIsWokenAndHasASecondHoweverLongAgoThatEnded() {
        lock.acquire("a1").now();
        long head = waits("b1", "B");
        long second = waits("c1", "C");
        endedLongAgo("a1");
        assertThat(tries("c1", "C", second)).isEqualTo(Code.BUSY);
        assertThat(lock.field("rv")).isEqualTo(Long.toString(head));
        reservedFor(-1);
        assertThat(tries("c1", "C", second)).isEqualTo(Code.GRANTED);
    }

    private void endedLongAgo(String id) {
        lock.put("h:" + id, lock.time() - Bench.HOUR - TO_COME - 1 + ":" + Bench.HOUR + ":1");
    }

    /** Sets up a dead holder, a dead head of the queue, and two waiters behind it: returns the position of the head. */
    private long theFirstIsDeadAndSoIsTheHolder() {
        lock.acquire("a1").now();
        long dead = waits("x1", "X");
        waits("b1", "B");
        waits("c1", "C");
        endedLongAgo("a1");
        lock.put("q:" + dead, lock.time() - LAPSED - 1 + ":X");
        lock.put("b:X", lock.time() - LAPSED - 1);
        return dead;
    }

    @Test
    void aWaiterThatBecameFirstByALapseIsWokenBeforeItIsConsideredDead() {
        long dead = theFirstIsDeadAndSoIsTheHolder();
        long second = dead + 1;
        long third = dead + 2;
        assertThat(tries("c1", "C", third)).isEqualTo(Code.BUSY);
        assertThat(lock.field("rv")).isEqualTo(Long.toString(second));
        assertThat(tries("b1", "B", second)).isEqualTo(Code.GRANTED);
    }

    @Test
    void theFirstAfterAWokenAndLapsedWaiterIsWokenItself() {
        long dead = theFirstIsDeadAndSoIsTheHolder();
        long second = dead + 1;
        long third = dead + 2;
        lock.put("rv", dead);
        reservedFor(TO_COME);
        assertThat(tries("c1", "C", third)).isEqualTo(Code.BUSY);
        assertThat(lock.field("qh")).isEqualTo(Long.toString(second));
        reservedFor(-1);
        assertThat(tries("c1", "C", third)).isEqualTo(Code.BUSY);
        assertThat(lock.field("rv")).isEqualTo(Long.toString(second));
        assertThat(tries("b1", "B", second)).isEqualTo(Code.GRANTED);
    }

    @Test
    void onePollKeepsAllPositionsOfAClient() {
        lock.acquire("a1").now();
        long first = waits("b1", "B");
        long second = waits("b2", "B");
        String past = lock.time() - LAPSED - 1 + ":B";
        lock.put("q:" + first, past);
        lock.put("q:" + second, past);
        assertThat(polls("b2", "B", second).rank()).isEqualTo(1);
        assertThat(lock.field("wn")).isEqualTo("2");
    }

    @Test
    void aClientWithoutAHeartbeatLosesAllItsPositions() {
        lock.acquire("a1").now();
        long first = waits("b1", "B");
        long second = waits("b2", "B");
        long third = waits("c1", "C");
        String past = lock.time() - LAPSED - 1 + ":B";
        lock.put("q:" + first, past);
        lock.put("q:" + second, past);
        lock.put("b:B", lock.time() - LAPSED - 1);
        assertThat(polls("c1", "C", third).rank()).isZero();
        assertThat(lock.field("wn")).isEqualTo("1");
        assertThat(polls("b1", "B", first).position()).isEqualTo(third + 1);
    }

    @Test
    void heartbeatsFromBeforeAStepBackCountFromNowOn() {
        lock.acquire("a1").now();
        long first = waits("b1", "B");
        lock.put("q:" + first, lock.time() - LAPSED - 1 + ":B");
        lock.put("b:B", lock.time() + Bench.HOUR);
        assertThat(polls("c1", "C", 0).rank()).isEqualTo(1);
        assertThat(Long.parseLong(lock.field("b:B"))).isLessThanOrEqualTo(lock.time());
    }

    @Test
    void aHeadThatGivesUpPassesTheFreeLockOnFairly() {
        lock.acquire("a1").now();
        long first = waits("b1", "B");
        long second = waits("c1", "C");
        lock.release("a1");
        assertThat(lock.leave("B", first).code()).isEqualTo(LeaveQueue.Code.LEFT);
        assertThat(lock.field("rv")).isEqualTo(Long.toString(second));
        assertThat(tries("x1", "", 0)).isEqualTo(Code.BUSY);
        assertThat(tries("c1", "C", second)).isEqualTo(Code.GRANTED);
    }

    @Test
    void aFairQueueIsNotLimitedToAFew() {
        lock.acquire("a1").now();
        for (int i = 0; i < 200; i++) {
            waits("w" + i, "B");
        }
        assertThat(lock.field("wn")).isEqualTo("200");
    }
}
