package dev.leasehold.tck.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.ForceRelease;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.RenewHold;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Finding 14: the clock of Redis stepped back by an hour since a hold was written, so its end is further away than
 * its length. Any script that finds it sets it to now + length, which is no less than what any caller was promised.
 */
class HealingIT extends BenchBase {

    private static final long LEASE = 2 * Bench.SECOND;
    private static final Duration MEMORY = Duration.ofSeconds(3);

    @Override
    Duration memory() {
        return MEMORY;
    }

    @Test
    void aBusyRequestHealsTheHoldAndReportsOneLease() {
        lock.acquire("a1").lasting(LEASE).now();
        lock.writtenAhead("a1", Bench.HOUR);
        AcquireHold.Answer busy = lock.acquire("b1").now();
        assertThat(busy.code()).isEqualTo(AcquireHold.Code.BUSY);
        assertThat(busy.leftNanos()).isEqualTo(LEASE * 1000);
        assertThat(lock.end("a1")).isEqualTo(busy.now().micros() + LEASE);
        assertThat(lock.expiry()).isEqualTo(lock.expiryFor(lock.end("a1")));
        AcquireHold.Answer again = lock.acquire("b1").now();
        assertThat(again.leftNanos()).as("healed once, not for ever").isLessThan(LEASE * 1000);
        assertThat(lock.end("a1")).isEqualTo(busy.now().micros() + LEASE);
    }

    @Test
    void theLockIsFreeOneLeaseLater() {
        lock.acquire("a1").lasting(20 * Bench.MILLI).now();
        lock.writtenAhead("a1", Bench.HOUR);
        long now = lock.acquire("b1").now().now().micros();
        lock.past(now + 20 * Bench.MILLI);
        assertThat(lock.acquire("b1").now().code()).isEqualTo(AcquireHold.Code.GRANTED);
    }

    @Test
    void aRenewalHealsAndCountsFromNow() {
        lock.acquire("a1").lasting(LEASE).now();
        lock.writtenAhead("a1", Bench.HOUR);
        RenewHold.Answer answer = lock.renew("a1", LEASE);
        assertThat(answer.code()).isEqualTo(RenewHold.Code.RENEWED);
        assertThat(answer.leftNanos()).isEqualTo(LEASE * 1000);
        assertThat(lock.end("a1")).isEqualTo(answer.now().micros() + LEASE);
        assertThat(lock.expiry()).isEqualTo(lock.expiryFor(lock.end("a1")));
    }

    @Test
    void aShorterRenewalAndAMereConfirmationLeaveTheLengthOfTheHold() {
        lock.acquire("a1").lasting(LEASE).now();
        lock.writtenAhead("a1", Bench.HOUR);
        RenewHold.Answer answer = lock.renew("a1", 0);
        assertThat(answer.leftNanos()).isEqualTo(LEASE * 1000);
        assertThat(lock.end("a1")).isEqualTo(answer.now().micros() + LEASE);
    }

    @Test
    void aRepeatOfTheAcquireHeals() {
        lock.acquire("a1").lasting(LEASE).now();
        lock.writtenAhead("a1", Bench.HOUR);
        AcquireHold.Answer answer = lock.acquire("a1").lasting(LEASE).now();
        assertThat(answer.code()).isEqualTo(AcquireHold.Code.GRANTED);
        assertThat(answer.leftNanos()).isEqualTo(LEASE * 1000);
        assertThat(lock.end("a1")).isEqualTo(answer.now().micros() + LEASE);
    }

    @Test
    void aReleaseFindsItLiveAndTheKeyGoesAfterTheTokenMemory() {
        lock.acquire("a1").lasting(LEASE).now();
        lock.writtenAhead("a1", Bench.HOUR);
        ReleaseHold.Answer answer = lock.release("a1");
        assertThat(answer.code()).isEqualTo(ReleaseHold.Code.RELEASED);
        assertThat(lock.fields()).containsOnlyKeys("v", "last");
        // It used to remain for the length of the hold and 60 s, whatever the token memory.
        assertThat(lock.expiry()).isEqualTo(lock.expiryFor(answer.now().micros()));
    }

    @Test
    void aForcedReleaseCountsItAsLive() {
        lock.acquire("a1").lasting(LEASE).now();
        lock.writtenAhead("a1", Bench.HOUR);
        ForceRelease.Answer answer = lock.force();
        assertThat(answer.code()).isEqualTo(ForceRelease.Code.FREED);
        assertThat(lock.expiry()).isEqualTo(lock.expiryFor(Long.parseLong(lock.field("last"))));
    }

    @Test
    void anExtendedHoldIsNotMistakenForOne() {
        lock.acquire("a1").lasting(LEASE).now();
        lock.renew("a1", Bench.HOUR);
        long end = lock.end("a1");
        lock.renew("a1", LEASE);
        assertThat(lock.acquire("b1").now().leftNanos()).isGreaterThan((Bench.HOUR - 60 * Bench.SECOND) * 1000);
        assertThat(lock.end("a1")).isEqualTo(end);
    }

    /** Healing one hold used to set the expiry of the key by that hold alone: the other was deleted while it was held. */
    @Test
    void aBusyRequestThatHealsOneHoldKeepsTheOthersOfThatOwnerAlive() {
        lock.acquire("a2").as("job").lasting(Bench.HOUR).now();
        lock.acquire("a1").as("job").lasting(LEASE).now();
        lock.writtenAhead("a1", 2 * Bench.HOUR);
        long longest = lock.end("a2");
        AcquireHold.Answer busy = lock.acquire("x").now();
        assertThat(busy.leftNanos()).isEqualTo((longest - busy.now().micros()) * 1000);
        assertThat(lock.expiry()).isEqualTo(lock.expiryFor(longest));
        assertThat(lock.end("a1")).isEqualTo(busy.now().micros() + LEASE);
    }

    @Test
    void aReleaseThatHealsKeepsTheOthersOfThatOwnerAlive() {
        lock.acquire("a2").as("job").lasting(Bench.HOUR).now();
        lock.acquire("a1").as("job").lasting(LEASE).now();
        lock.writtenAhead("a1", 2 * Bench.HOUR);
        long longest = lock.end("a2");
        assertThat(lock.release("a1").code()).isEqualTo(ReleaseHold.Code.RELEASED);
        assertThat(lock.expiry()).isEqualTo(lock.expiryFor(longest));
    }

    @Test
    void everyScriptHealsTheOthersOfThatOwner() {
        for (String script : new String[] {"acquire", "repeat", "renew", "release"}) {
            redis.flush();
            lock.acquire("a1").as("job").lasting(LEASE).now();
            lock.acquire("a2").as("job").lasting(LEASE).now();
            lock.writtenAhead("a1", Bench.HOUR);
            long now = switch (script) {
                case "acquire" ->
                    lock.acquire("a3").as("job").lasting(LEASE).now().now().micros();
                case "repeat" ->
                    lock.acquire("a2").as("job").lasting(LEASE).now().now().micros();
                case "renew" -> lock.renew("a2", LEASE).now().micros();
                default -> lock.release("a2").now().micros();
            };
            assertThat(lock.end("a1")).as(script).isEqualTo(now + LEASE);
            assertThat(lock.expiry()).as(script).isEqualTo(lock.expiryFor(now + LEASE));
        }
    }
}
