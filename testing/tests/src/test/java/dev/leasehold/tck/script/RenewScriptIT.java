package dev.leasehold.tck.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.store.RenewHold.Answer;
import dev.leasehold.internal.store.RenewHold.Code;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RenewScriptIT extends BenchBase {

    private static final long LEASE = 30 * Bench.SECOND;

    @Test
    void movesItsEndAndTheExpiryOfTheKeyAndNothingElse() {
        long granted = lock.acquire("a1").lasting(LEASE).now().now().micros();
        Map<String, String> before = lock.fields();
        Answer answer = lock.renew("a1", 2 * LEASE);
        long end = answer.now().micros() + 2 * LEASE;
        assertThat(answer.code()).isEqualTo(Code.RENEWED);
        assertThat(answer.leftNanos()).isEqualTo(2 * LEASE * 1000);
        before.put("h:a1", answer.now().micros() + ":" + 2 * LEASE + ":" + granted);
        assertThat(lock.fields()).isEqualTo(before);
        assertThat(lock.expiry()).isEqualTo(lock.expiryFor(end));
    }

    /** Finding 5: extend to 10 minutes, then the watchdog renews by 30 s: the client still relies on 10 minutes. */
    @Test
    void neverLowersAnEnd() {
        lock.acquire("a1").lasting(600 * Bench.SECOND).now();
        long end = lock.end("a1");
        Map<String, Object> before = lock.everything();
        Answer answer = lock.renew("a1", LEASE);
        assertThat(answer.code()).isEqualTo(Code.RENEWED);
        assertThat(answer.leftNanos()).isEqualTo((end - answer.now().micros()) * 1000);
        assertThat(lock.everything()).isEqualTo(before);
    }

    @Test
    void aRepeatedExtensionToTheSameTargetAddsNothing() {
        lock.acquire("a1").lasting(LEASE).now();
        long target = lock.time() + 600 * Bench.SECOND;
        lock.renew("a1", target - lock.time());
        long once = lock.end("a1");
        lock.renew("a1", target - lock.time());
        assertThat(lock.end("a1") - once).isBetween(0L, 10 * Bench.SECOND);
        assertThat(lock.end("a1")).isLessThan(target + 10 * Bench.SECOND);
    }

    @Test
    void withZeroItOnlyConfirms() {
        lock.acquire("a1").lasting(LEASE).now();
        Map<String, Object> before = lock.everything();
        Answer answer = lock.renew("a1", 0);
        assertThat(answer.code()).isEqualTo(Code.RENEWED);
        assertThat(answer.leftNanos()).isEqualTo((lock.end("a1") - answer.now().micros()) * 1000);
        assertThat(lock.everything()).isEqualTo(before);
    }

    /** Finding 6: a WAIT after it must refer to this connection's last write. */
    @Test
    void alwaysWritesTheExpiry() {
        lock.acquire("a1").lasting(LEASE).now();
        long expiry = lock.expiry();
        lock.command("PEXPIRE", lock.key.key(), "99000");
        lock.renew("a1", 0);
        assertThat(lock.expiry()).isEqualTo(expiry);
    }

    @Test
    void anEndedHoldIsNeverRevivedAlthoughTheLockIsFree() {
        long now = lock.acquire("a1").lasting(Bench.MILLI).now().now().micros();
        lock.past(now + Bench.MILLI);
        Map<String, Object> before = lock.everything();
        assertThat(lock.renew("a1", LEASE).code()).isEqualTo(Code.ENDED);
        assertThat(lock.everything()).isEqualTo(before);
    }

    @Test
    void saysWhetherAMissingHoldWasTakenOverOrIsJustGone() {
        assertThat(lock.renew("a1", LEASE))
                .extracting(Answer::code, Answer::detail)
                .containsExactly(Code.GONE, "free");
        assertThat(lock.expiry()).as("no key was made").isEqualTo(-2);
        lock.acquire("b1").now();
        Map<String, Object> before = lock.everything();
        assertThat(lock.renew("a1", LEASE))
                .extracting(Answer::code, Answer::detail)
                .containsExactly(Code.GONE, "taken");
        lock.release("b1");
        assertThat(lock.renew("a1", LEASE))
                .extracting(Answer::code, Answer::detail)
                .containsExactly(Code.GONE, "free");
        assertThat(before).containsKey("h:b1");
    }
}
