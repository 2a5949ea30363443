package dev.leasehold.tck.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.store.AcquireHold.Answer;
import dev.leasehold.internal.store.AcquireHold.Code;
import dev.leasehold.internal.store.ChangePermits;
import dev.leasehold.internal.store.ForceRelease;
import dev.leasehold.internal.store.LeaveQueue;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.RenewHold;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Permits of a semaphore: holds that one owner has in common, and their sum. Finding 22; hazards 29 and 52. */
class PermitsIT extends BenchBase {

    @BeforeEach
    void prepare() {
        List.of("w:f", "w:g").forEach(this::subscribes);
    }

    private Bench.Entry one(String id) {
        return lock.acquire(id).permits(1, 3);
    }

    private Bench.Entry some(String id, int permits) {
        return lock.acquire(id).permits(permits, 3);
    }

    private static Answer granted(Bench.Entry entry) {
        Answer answer = entry.now();
        assertThat(answer.code()).isEqualTo(Code.GRANTED);
        return answer;
    }

    private static Answer busy(Bench.Entry entry) {
        Answer answer = entry.now();
        assertThat(answer.code()).isEqualTo(Code.BUSY);
        return answer;
    }

    /** Moves the sum into the past, as time would. */
    private void sumIsPast(int count, String earliest, String latest) {
        lock.put("rs", count + ":" + lock.end(earliest) + ":" + lock.end(latest) + ":" + Bench.HOUR);
    }

    @Test
    void areAsManyAsTheFirstHasSaid() {
        granted(one("a"));
        granted(one("b"));
        granted(one("c"));
        busy(one("d"));
        assertThat(lock.fields())
                .containsEntry("own", "s")
                .containsEntry("pt", "3")
                .doesNotContainKeys("p:a", "p:b");
        assertThat(lock.field("rs")).startsWith("3:");
        assertThat(lock.release("b").code()).isEqualTo(ReleaseHold.Code.RELEASED);
        granted(one("d"));
        for (String id : new String[] {"a", "c", "d"}) {
            lock.release(id);
        }
        assertThat(lock.fields()).containsEntry("pt", "3").doesNotContainKeys("rs", "own", "h:a");
    }

    @Test
    void severalAtOnceAreAllOrNone() {
        granted(some("a", 2));
        busy(some("b", 2));
        assertThat(lock.fields()).containsEntry("p:a", "2").doesNotContainKeys("h:b", "p:b");
        granted(one("b"));
        busy(one("c"));
        lock.release("a");
        assertThat(lock.field("rs")).startsWith("1:");
        assertThat(lock.fields()).doesNotContainKey("p:a");
        granted(some("c", 2));
        busy(one("d"));
    }

    @Test
    void aRepeatTakesNothingTwice() {
        granted(some("a", 2));
        granted(some("a", 2));
        assertThat(lock.field("rs")).startsWith("2:");
        granted(one("b"));
        lock.release("a");
        lock.release("a");
        assertThat(lock.field("rs")).startsWith("1:");
    }

    @Test
    void thePermitsOfTheDeadReturnAtAnyRequest() {
        granted(some("a", 2));
        granted(one("b"));
        lock.ended("a");
        sumIsPast(3, "a", "b");
        granted(one("c"));
        assertThat(lock.fields()).doesNotContainKeys("h:a", "p:a");
        assertThat(lock.field("rs")).startsWith("2:");
        lock.ended("b");
        sumIsPast(2, "b", "c");
        assertThat(lock.renew("c", 2 * Bench.HOUR).code()).isEqualTo(RenewHold.Code.RENEWED);
        assertThat(lock.fields()).doesNotContainKey("h:b");
        assertThat(lock.field("rs")).startsWith("1:");
        granted(some("d", 2));
        lock.ended("c");
        lock.ended("d");
        sumIsPast(3, "c", "d");
        granted(some("e", 3));
        assertThat(lock.fields()).doesNotContainKeys("h:c", "h:d", "p:d").containsEntry("p:e", "3");
    }

    @Test
    void renewingKeepsCountOfSeveral() {
        granted(some("a", 2));
        granted(one("b"));
        for (int i = 0; i < 3; i++) {
            assertThat(lock.renew("a", 2 * Bench.HOUR).code()).isEqualTo(RenewHold.Code.RENEWED);
            assertThat(lock.field("rs")).startsWith("3:");
        }
        lock.put("rs", "no sum");
        lock.renew("a", 3 * Bench.HOUR);
        assertThat(lock.field("rs")).startsWith("3:");
        lock.put("rs", "no sum");
        lock.renew("b", 3 * Bench.HOUR);
        assertThat(lock.field("rs")).startsWith("3:");
        busy(one("c"));
    }

    @Test
    void anotherNumberOfPermitsIsRefusedAndChangesNothing() {
        granted(one("a"));
        Answer other = lock.acquire("b").permits(1, 4).now();
        assertThat(other.code()).isEqualTo(Code.PERMITS);
        assertThat(other.token()).isEqualTo(3);
        assertThat(lock.fields()).doesNotContainKey("h:b").containsEntry("pt", "3");
        lock.release("a");
        assertThat(lock.acquire("b").permits(1, 2).now().code()).isEqualTo(Code.PERMITS);
        granted(one("b"));
    }

    @Test
    void theirNumberIsChangedForAll() {
        assertThat(lock.changePermits(2)).satisfies(answer -> {
            assertThat(answer.code()).isEqualTo(ChangePermits.Code.CHANGED);
            assertThat(answer.before()).isZero();
        });
        granted(one("a"));
        granted(one("b"));
        busy(one("c"));
        assertThat(lock.changePermits(4).before()).isEqualTo(2);
        granted(one("c"));
        granted(lock.acquire("d").permits(1, 17));
        busy(one("e"));
        assertThat(lock.changePermits(1).before()).isEqualTo(4);
        for (String id : new String[] {"a", "b", "c"}) {
            busy(one("e"));
            lock.release(id);
        }
        assertThat(some("e", 2).now().code()).isEqualTo(Code.PERMITS);
        busy(one("e"));
        lock.release("d");
        granted(one("e"));
        busy(one("f"));
    }

    @Test
    void aChangeOfTheirNumberLeavesAKeyThatExpires() {
        lock.changePermits(2);
        assertThat(lock.expiry()).isPositive();
        lock.command("DEL", lock.key.key());
        lock.command("SET", lock.key.key(), "something");
        assertThat(lock.changePermits(2).code()).isEqualTo(ChangePermits.Code.FOREIGN);
    }

    @Test
    void theLockOfTheNameIsForAllOfThem() {
        granted(one("a"));
        busy(lock.acquire("w"));
        busy(lock.acquire("w").as("job"));
        lock.release("a");
        granted(lock.acquire("w"));
        busy(one("a"));
        lock.release("w");
        granted(one("a"));
    }

    @Test
    void aWaiterForManyPermitsIsNotExcludedByRequestsForFew() {
        granted(one("a"));
        granted(one("b"));
        Answer many = busy(some("m", 3).waiting("w:m", 0));
        assertThat(lock.field("q:" + many.position())).contains("s3:w:m");
        // There is one, but not for a later request.
        busy(one("c"));
        busy(one("c").waiting("w:c", 0));
        lock.release("a");
        busy(one("d"));
        lock.release("b");
        granted(some("m", 3).waiting("w:m", many.position()));
        busy(one("c"));
    }

    @Test
    void aDeadWaiterForManyPermitsExcludesNoOther() {
        granted(one("a"));
        Answer many = busy(some("m", 3).waiting("w:m", 0));
        busy(one("b"));
        lock.put("q:" + many.position(), lock.time() - 8 * Bench.SECOND + "s3:w:m");
        granted(one("b"));
        assertThat(lock.fields()).doesNotContainKeys("wn", "q:" + many.position());
    }

    @Test
    void aWaiterThatLeavesTheQueueLetsOthersIn() {
        granted(one("a"));
        Answer many = busy(some("m", 3).waiting("w:m", 0));
        Answer few = busy(one("b").waiting("w:b", 0));
        assertThat(few.rank()).isEqualTo(1);
        assertThat(lock.leave("w:m", many.position()).code()).isEqualTo(LeaveQueue.Code.LEFT);
        granted(one("b").waiting("w:b", few.position()));
    }

    @Test
    void whatIsReservedForTheFirstIsWhatItNeeds() {
        granted(one("a"));
        granted(some("b", 2));
        Answer first = busy(some("f", 2).waiting("w:f", 0));
        lock.put("rv", first.position());
        lock.put("re", lock.time() + Bench.HOUR + ":" + Bench.HOUR);
        lock.release("b");
        lock.put("rv", first.position());
        lock.put("re", lock.time() + Bench.HOUR + ":" + Bench.HOUR);
        busy(one("c"));
        lock.release("a");
        // One more than it needs.
        granted(one("c"));
        assertThat(lock.field("rv")).isEqualTo(Long.toString(first.position()));
        busy(one("d"));
        granted(some("f", 2).waiting("w:f", first.position()));
    }

    @Test
    void inAFairQueueNoRequestOvertakesTheFirst() {
        granted(some("a", 3));
        Answer first = busy(one("f").fairly("w:f", 0));
        Answer next = busy(one("g").fairly("w:g", 0));
        lock.release("a");
        assertThat(lock.field("rv")).isEqualTo(Long.toString(first.position()));
        busy(one("c"));
        busy(one("c").fairly("", 0));
        busy(one("g").fairly("w:g", next.position()));
        granted(one("f").fairly("w:f", first.position()));
        // There are more, and it is the turn of the next.
        assertThat(lock.field("rv")).isEqualTo(Long.toString(next.position()));
        busy(one("c").fairly("", 0));
        granted(one("g").fairly("w:g", next.position()));
        granted(one("c").fairly("", 0));
    }

    @Test
    void inAFairQueueAHeadThatRedisRefusesToWakeKeepsItsTurnUntilItHasPolled() {
        redis.command("ACL", "SETUSER", "mute", "on", "nopass", "~*", "&*", "+@all", "-publish");
        lock.command("AUTH", "mute", "any");
        granted(some("a", 3));
        Answer first = busy(one("f").fairly("w:f", 0));
        Answer next = busy(one("g").fairly("w:g", 0));
        lock.release("a");
        String end = Long.toString(lock.time() + Bench.SECOND);
        assertThat(lock.field("re")).isGreaterThan(end).endsWith(":" + 7 * Bench.SECOND);
        granted(one("f").fairly("w:f", first.position()));
        // The head that this grant could not wake has as long.
        assertThat(lock.field("rv")).isEqualTo(Long.toString(next.position()));
        assertThat(lock.field("re")).isGreaterThan(end).endsWith(":" + 7 * Bench.SECOND);
        busy(one("c").fairly("", 0));
        granted(one("g").fairly("w:g", next.position()));
    }

    @Test
    void inAFairQueueTheFirstIsNotTakenForDeadWhileItFindsTooFew() {
        granted(one("a"));
        Answer many = busy(some("m", 3).fairly("w:m", 0));
        lock.put("rv", many.position());
        lock.put("re", lock.time() - 1 + ":" + Bench.SECOND);
        busy(one("b").fairly("w:b", 0));
        assertThat(lock.fields()).containsKey("q:" + many.position());
    }

    @Test
    void aFullMemoryPreventsNoRenewalAndNoRelease() {
        granted(some("a", 2));
        granted(one("b"));
        for (int i = 0; i < 40; i++) {
            lock.command("SET", "filler:" + i, "x".repeat(100_000));
        }
        redis.command("CONFIG", "SET", "maxmemory", "3mb");
        assertThat(lock.renew("a", 2 * Bench.HOUR).code()).isEqualTo(RenewHold.Code.RENEWED);
        assertThat(lock.release("a").code()).isEqualTo(ReleaseHold.Code.RELEASED);
        assertThat(lock.field("rs")).startsWith("1:");
        assertThat(lock.release("b").code()).isEqualTo(ReleaseHold.Code.RELEASED);
        redis.command("CONFIG", "SET", "maxmemory", "0");
        granted(some("c", 3));
    }

    @Test
    void aBusyAnswerContainsTheEndOfTheFirstHold() {
        granted(some("a", 2).lasting(Bench.HOUR / 2));
        granted(one("b"));
        assertThat(busy(one("c")).leftNanos()).isBetween(1L, Bench.HOUR / 2 * 1000);
    }

    @Test
    void areAllTakenAwayByForce() {
        granted(some("a", 2));
        granted(one("b"));
        assertThat(lock.force().code()).isEqualTo(ForceRelease.Code.FREED);
        assertThat(lock.fields()).containsEntry("pt", "3").doesNotContainKeys("rs", "own", "h:a", "p:a", "h:b");
        granted(some("c", 3));
    }
}
