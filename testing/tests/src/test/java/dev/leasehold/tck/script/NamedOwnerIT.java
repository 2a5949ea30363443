package dev.leasehold.tck.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.AcquireHold.Answer;
import dev.leasehold.internal.store.ForceRelease;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.RenewHold;
import org.junit.jupiter.api.Test;

/** Finding 2: the holds of a named owner are a set, not a count. P1 and P2 are processes of owner "job", X is another. */
class NamedOwnerIT extends BenchBase {

    private static final AcquireHold.Code GRANTED = AcquireHold.Code.GRANTED;
    private static final AcquireHold.Code BUSY = AcquireHold.Code.BUSY;

    private long holds() {
        return lock.fields().keySet().stream()
                .filter(field -> field.startsWith("h:"))
                .count();
    }

    @Test
    void entersTwiceWithOneTokenAndIsFreeWhenTheLastHoldIsGone() {
        Answer first = lock.acquire("p1").as("job").now();
        Answer second = lock.acquire("p2").as("job").now();
        assertThat(second.code()).isEqualTo(GRANTED);
        assertThat(second.token()).isEqualTo(first.token());
        assertThat(lock.field("own")).isEqualTo("n:job");
        assertThat(lock.acquire("x").now().code()).isEqualTo(BUSY);
        assertThat(lock.release("p1").code()).isEqualTo(ReleaseHold.Code.RELEASED);
        assertThat(lock.acquire("x").now().code()).isEqualTo(BUSY);
        assertThat(lock.release("p2").code()).isEqualTo(ReleaseHold.Code.RELEASED);
        Answer next = lock.acquire("x").now();
        assertThat(next.code()).isEqualTo(GRANTED);
        assertThat(next.token()).isGreaterThan(first.token());
    }

    @Test
    void aRetryOfTheFirstAfterTheSecondEnteredCountsNothingTwice() {
        lock.acquire("p1").as("job").now();
        lock.acquire("p2").as("job").now();
        assertThat(lock.acquire("p1").as("job").now().code()).isEqualTo(GRANTED);
        assertThat(holds()).isEqualTo(2);
    }

    @Test
    void aRetriedReleaseOfTheFirstLeavesTheSecondInside() {
        lock.acquire("p1").as("job").now();
        lock.acquire("p2").as("job").now();
        lock.release("p1");
        ReleaseHold.Answer again = lock.release("p1");
        assertThat(again.code()).isEqualTo(ReleaseHold.Code.GONE);
        assertThat(holds()).isEqualTo(1);
        assertThat(lock.acquire("x").now().code()).isEqualTo(BUSY);
    }

    @Test
    void aShortSecondHoldDoesNotShortenTheFirst() {
        long now = lock.acquire("p1")
                .as("job")
                .lasting(60 * Bench.SECOND)
                .now()
                .now()
                .micros();
        long second =
                lock.acquire("p2").as("job").lasting(Bench.MILLI).now().now().micros();
        lock.past(second + Bench.MILLI);
        Answer other = lock.acquire("x").now();
        assertThat(other.code()).isEqualTo(BUSY);
        assertThat(other.leftNanos())
                .isEqualTo((now + 60 * Bench.SECOND - other.now().micros()) * 1000);
        assertThat(lock.expiry()).isEqualTo(lock.expiryFor(now + 60 * Bench.SECOND));
    }

    @Test
    void aShortFirstHoldIsNotCarriedByTheSecond() {
        lock.acquire("p1").as("job").now();
        lock.acquire("p2").as("job").now();
        lock.ended("p1");
        assertThat(lock.renew("p1", Bench.HOUR).code()).isEqualTo(RenewHold.Code.ENDED);
        assertThat(lock.release("p1").code()).isEqualTo(ReleaseHold.Code.ENDED);
        assertThat(lock.renew("p2", Bench.HOUR).code()).isEqualTo(RenewHold.Code.RENEWED);
    }

    @Test
    void anAcquireRemovesEndedHolds() {
        lock.acquire("p1").as("job").now();
        lock.acquire("p2").as("job").now();
        lock.ended("p1");
        lock.acquire("p3").as("job").now();
        assertThat(lock.fields()).containsKeys("h:p2", "h:p3", "i:p2", "i:p3").doesNotContainKeys("h:p1", "i:p1");
    }

    @Test
    void theLastToLeaveClearsAwayWhatHasEnded() {
        lock.acquire("p1").as("job").now();
        lock.acquire("p2").as("job").now();
        lock.ended("p1");
        lock.release("p2");
        assertThat(lock.fields()).containsOnlyKeys("v", "last");
    }

    @Test
    void anotherOwnerTakesOverWhenAllHoldsHaveEndedWithAHigherToken() {
        long token = lock.acquire("p1").as("job").now().token();
        lock.acquire("p2").as("job").now();
        lock.ended("p1");
        lock.ended("p2");
        Answer other = lock.acquire("x").as("other").now();
        assertThat(other.code()).isEqualTo(GRANTED);
        assertThat(other.token()).isGreaterThan(token);
        assertThat(holds()).isEqualTo(1);
    }

    /** The owner is the same, but the holder set had become empty: another may have held the lock. */
    @Test
    void theSameOwnerGetsANewTokenOnceAllItsHoldsHaveEnded() {
        Answer first = lock.acquire("p1").as("job").lasting(Bench.MILLI).now();
        lock.past(first.now().micros() + Bench.MILLI);
        assertThat(lock.acquire("p2").as("job").now().token()).isGreaterThan(first.token());
    }

    @Test
    void aLongNameIsRecognizedByItsHash() {
        String name = "o".repeat(500);
        lock.acquire("p1").as(name).now();
        assertThat(lock.acquire("p2").as(name).now().code()).isEqualTo(GRANTED);
        assertThat(lock.acquire("x").as(name + "o").now().code()).isEqualTo(BUSY);
        assertThat(holds()).isEqualTo(2);
    }

    @Test
    void renewalMovesOnlyItsOwnHold() {
        lock.acquire("p1").as("job").lasting(Bench.SECOND).now();
        lock.acquire("p2").as("job").lasting(Bench.SECOND).now();
        String second = lock.field("h:p2");
        long renewed = lock.renew("p1", Bench.HOUR).now().micros();
        assertThat(lock.field("h:p2")).isEqualTo(second);
        assertThat(lock.end("p1")).isEqualTo(renewed + Bench.HOUR);
        lock.renew("p2", 2 * Bench.SECOND);
        assertThat(lock.expiry()).as("the key outlives both").isEqualTo(lock.expiryFor(renewed + Bench.HOUR));
    }

    @Test
    void byForceAllHoldsGoAndLiveOnesAreCounted() {
        lock.acquire("p1").as("job").now();
        lock.acquire("p2").as("job").now();
        lock.acquire("p3").as("job").now();
        lock.ended("p1");
        ForceRelease.Answer answer = lock.force();
        assertThat(answer.removed()).isEqualTo(2);
        assertThat(lock.fields()).containsOnlyKeys("v", "last");
    }
}
