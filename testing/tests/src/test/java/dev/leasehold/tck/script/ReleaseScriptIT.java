package dev.leasehold.tck.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.ForceRelease;
import dev.leasehold.internal.store.ReleaseHold.Answer;
import dev.leasehold.internal.store.ReleaseHold.Code;
import dev.leasehold.internal.store.RenewHold;
import dev.leasehold.internal.store.ServerTime;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReleaseScriptIT extends BenchBase {

    @Test
    void freesTheLockAndKeepsTheLastTokenForTheTokenMemory() {
        long token =
                lock.acquire("a1").by(new Holder("1@h", "t", "label")).now().token();
        Answer answer = lock.release("a1");
        assertThat(answer.code()).isEqualTo(Code.RELEASED);
        assertThat(lock.fields()).isEqualTo(Map.of("v", "1", "last", Long.toString(token)));
        assertThat(lock.expiry()).isEqualTo(lock.expiryFor(answer.now().micros()));
        assertThat(lock.acquire("b1").now().token()).isGreaterThan(token);
    }

    @Test
    void aHoldThatHasEndedWhileItStillOwnsTheLockIsReleased() {
        // Nobody had the lock in between, or it would have another owner.
        long now = lock.acquire("a1").lasting(Bench.MILLI).now().now().micros();
        lock.past(now + Bench.MILLI);
        assertThat(lock.release("a1").code()).isEqualTo(Code.RELEASED);
        assertThat(lock.fields()).containsOnlyKeys("v", "last");
        now = lock.acquire("a2").lasting(Bench.MILLI).now().now().micros();
        lock.past(now + Bench.MILLI);
        assertThat(lock.releaseUsual("a2").code()).isEqualTo(Code.RELEASED);
        assertThat(lock.fields()).containsOnlyKeys("v", "last");
    }

    @Test
    void removesAHoldOfANamedOwnerThatHasEndedAndSaysSo() {
        long now = lock.acquire("a1").as("job").lasting(Bench.MILLI).now().now().micros();
        lock.past(now + Bench.MILLI);
        assertThat(lock.release("a1").code()).isEqualTo(Code.ENDED);
        assertThat(lock.fields()).containsOnlyKeys("v", "last");
    }

    @Test
    void theUsualCaseLeavesTheExpiryAndReportsNoTime() {
        lock.acquire("a1")
                .lasting(Bench.SECOND)
                .by(new Holder("17@host", "main", ""))
                .ifFree();
        long expiry = lock.expiry();
        Answer answer = lock.releaseUsual("a1");
        assertThat(answer.code()).isEqualTo(Code.RELEASED);
        assertThat(answer.now()).isEqualTo(ServerTime.NONE);
        assertThat(lock.fields()).containsOnlyKeys("v", "last", "ex");
        assertThat(lock.expiry()).isEqualTo(expiry);
    }

    @Test
    void theUsualCaseIsNotThatOfAnotherHolderOrOfWaiters() {
        lock.acquire("a1").now();
        assertThat(lock.releaseUsual("b1").code()).isEqualTo(Code.GONE);
        assertThat(lock.fields()).containsKey("h:a1");
        lock.acquire("b1").waiting("B", 0).now();
        assertThat(lock.releaseUsual("a1").now()).isNotEqualTo(ServerTime.NONE);
        assertThat(lock.fields()).containsKey("wn").doesNotContainKey("own");
    }

    @Test
    void neverTouchesTheHoldOfAnother() {
        assertThat(lock.release("a1")).extracting(Answer::code, Answer::detail).containsExactly(Code.GONE, "free");
        assertThat(lock.expiry()).as("no key was made").isEqualTo(-2);
        lock.acquire("b1").now();
        Map<String, Object> before = lock.everything();
        assertThat(lock.release("a1")).extracting(Answer::code, Answer::detail).containsExactly(Code.GONE, "taken");
        assertThat(lock.everything()).isEqualTo(before);
        lock.release("b1");
        assertThat(lock.release("b1")).extracting(Answer::code, Answer::detail).containsExactly(Code.GONE, "free");
    }

    /** One write less to replicate: the remaining time of most leases is short compared with the token memory. */
    @Test
    void leavesTheExpiryWhereItIsUnlessMoreIsLeftThanHalfOfTheTokenMemory() {
        try (Bench minute = new Bench(redis, Duration.ofMinutes(1))) {
            long granted =
                    minute.acquire("a1").lasting(30 * Bench.SECOND).now().now().micros();
            minute.release("a1");
            assertThat(minute.expiry()).isEqualTo(minute.expiryFor(granted + 30 * Bench.SECOND));
            minute.acquire("b1").lasting(40 * Bench.SECOND).now();
            long released = minute.release("b1").now().micros();
            assertThat(minute.expiry()).isEqualTo(minute.expiryFor(released));
        }
    }

    @Test
    void theKeyIsGoneAfterTheTokenMemory() {
        try (Bench brief = new Bench(redis, Duration.ofSeconds(2))) {
            brief.acquire("a1").now();
            long now = brief.release("a1").now().micros();
            assertThat(brief.expiry()).isEqualTo(brief.expiryFor(now));
            brief.past(now + 2 * Bench.SECOND + 2 * Bench.MILLI);
            assertThat(brief.expiry()).as("gone").isEqualTo(-2);
        }
    }

    @Test
    void anUnreleasedHoldIsGoneAfterItsEndAndTheTokenMemory() {
        try (Bench brief = new Bench(redis, Duration.ofMillis(40))) {
            long now = brief.acquire("a1").lasting(20 * Bench.MILLI).now().now().micros();
            brief.past(now + 62 * Bench.MILLI);
            assertThat(brief.expiry()).as("gone").isEqualTo(-2);
        }
    }

    @Test
    void byForceTakesTheLockFromItsHolderAndRaisesTheToken() {
        long token =
                lock.acquire("a1").by(new Holder("1@h", "t", "label")).now().token();
        ForceRelease.Answer answer = lock.force();
        assertThat(answer.code()).isEqualTo(ForceRelease.Code.FREED);
        assertThat(answer.removed()).isEqualTo(1);
        assertThat(lock.fields()).containsOnlyKeys("v", "last");
        assertThat(Long.parseLong(lock.field("last"))).isGreaterThan(token);
        assertThat(lock.renew("a1", Bench.SECOND).code()).isEqualTo(RenewHold.Code.GONE);
        assertThat(lock.release("a1").code()).isEqualTo(Code.GONE);
        AcquireHold.Answer next = lock.acquire("b1").now();
        assertThat(next.token()).isGreaterThan(answer.now().micros() - 1).isGreaterThan(token + 1);
    }

    @Test
    void byForceAFreeLockIsFoundFreeAndNothingChanges() {
        assertThat(lock.force().code()).isEqualTo(ForceRelease.Code.FREE);
        assertThat(lock.expiry()).isEqualTo(-2);
        lock.acquire("a1").now();
        lock.release("a1");
        Map<String, Object> before = lock.everything();
        assertThat(lock.force().code()).isEqualTo(ForceRelease.Code.FREE);
        assertThat(lock.everything()).isEqualTo(before);
    }

    @Test
    void byForceAHoldThatHasEndedIsRemovedButDoesNotCount() {
        long now = lock.acquire("a1").lasting(Bench.MILLI).now().now().micros();
        lock.past(now + Bench.MILLI);
        assertThat(lock.force().code()).isEqualTo(ForceRelease.Code.FREE);
        assertThat(lock.fields()).containsOnlyKeys("v", "last");
    }
}
