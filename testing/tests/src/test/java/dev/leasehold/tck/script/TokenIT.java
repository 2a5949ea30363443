package dev.leasehold.tck.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.internal.store.AcquireHold.Answer;
import dev.leasehold.internal.store.AcquireHold.Code;
import dev.leasehold.internal.store.ForceRelease;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Fencing tokens: max(last + 1, TIME, floor + 1), below 2^53, as decimal strings. */
class TokenIT extends BenchBase {

    private static final long LIMIT = 1L << 53;

    private long cycle(String id) {
        Answer answer = lock.acquire(id).now();
        assertThat(answer.code()).isEqualTo(Code.GRANTED);
        lock.release(id);
        return answer.token();
    }

    @Test
    void risesAtEveryChangeOfTheHolder() {
        long last = 0;
        for (int i = 0; i < 500; i++) {
            long token = cycle("a" + i);
            assertThat(token).isGreaterThan(last);
            last = token;
        }
    }

    @Test
    void aTokenThatIsNoNumberIsRefusedAndAForcedReleaseRepairsIt() {
        for (String bad : List.of("nan", "inf", "0x10", " 5", "1e3", "-1", "5.5", "", "9".repeat(17), "9".repeat(16))) {
            cycle("a1");
            lock.put("last", bad);
            assertThatThrownBy(() -> lock.acquire("a2").now()).as(bad).hasMessageContaining("cannot be read");
            assertThat(lock.fields()).doesNotContainKey("own");
            lock.force();
            assertThat(lock.fields().get("last")).as("after '%s'", bad).matches("\\d{16}");
            cycle("a3");
        }
    }

    /** Finding 3 (ii): the clock was an hour ahead for one grant; the key must not expire before TIME has passed it. */
    @Test
    void risesAfterAGrantByAClockThatWasAheadAndTheKeyOutlivesIt() {
        cycle("a1");
        long ahead = lock.time() + Bench.HOUR;
        lock.put("last", ahead);
        Answer next = lock.acquire("a2").lasting(Bench.SECOND).now();
        assertThat(next.token()).isEqualTo(ahead + 1);
        assertThat(lock.expiry()).isEqualTo(lock.expiryFor(ahead + 1));
        lock.acquire("a2").lasting(Bench.SECOND).now();
        assertThat(lock.expiry()).as("after a repeat").isEqualTo(lock.expiryFor(ahead + 1));
        lock.renew("a2", 2 * Bench.SECOND);
        assertThat(lock.expiry()).as("after a renewal").isEqualTo(lock.expiryFor(ahead + 1));
        lock.release("a2");
        assertThat(lock.expiry()).as("after a release").isEqualTo(lock.expiryFor(ahead + 1));
        lock.acquire("a3").now();
        lock.force();
        assertThat(lock.expiry()).as("after a forced release").isEqualTo(lock.expiryFor(ahead + 3));
        assertThat(cycle("a4")).isEqualTo(ahead + 4);
    }

    @Test
    void risesOverTheTokenMemory() {
        try (Bench brief = new Bench(redis, Duration.ofMillis(20))) {
            long token = brief.acquire("a1").now().token();
            long now = brief.release("a1").now().micros();
            brief.past(now + 22 * Bench.MILLI);
            assertThat(brief.expiry()).isEqualTo(-2);
            assertThat(brief.acquire("a2").now().token()).isGreaterThan(token);
        }
    }

    @Test
    void risesAboveWhatTheClientHasSeenAlthoughTheDataIsLost() {
        long seen = lock.time() + Bench.SECOND;
        assertThat(lock.acquire("a1").above(seen).now().token()).isEqualTo(seen + 1);
        assertThat(lock.field("last")).isEqualTo(Long.toString(seen + 1));
    }

    /** Finding 14: refused only when the key does not confirm the floor and TIME is more than 2 s below it. */
    @Test
    void isRefusedWhenDataAndClockAreBothBehindTheClientAndNothingChanges() {
        long seen = lock.time() + 12 * Bench.SECOND;
        Answer answer = lock.acquire("a1").above(seen).now();
        assertThat(answer.code()).isEqualTo(Code.CLOCK);
        assertThat(answer.token()).as("the last token known").isZero();
        assertThat(lock.expiry()).isEqualTo(-2);
        long last = cycle("a2");
        Map<String, Object> before = lock.everything();
        Answer behind = lock.acquire("a3").above(seen + 60 * Bench.SECOND).now();
        assertThat(behind.code()).isEqualTo(Code.CLOCK);
        assertThat(behind.token()).isEqualTo(last);
        assertThat(lock.everything()).isEqualTo(before);
    }

    @Test
    void isNotRefusedForAClockThatIsBehindWhenTheKeyKnowsTheFloor() {
        cycle("a1");
        long ahead = lock.time() + Bench.HOUR;
        lock.put("last", ahead);
        assertThat(lock.acquire("a2").above(ahead).now().token()).isEqualTo(ahead + 1);
        lock.release("a2");
        assertThat(lock.acquire("a3").above(ahead - Bench.SECOND).now().token()).isEqualTo(ahead + 2);
    }

    @Test
    void anUnconfirmedFloorNeverPushesTokensAwayFromTime() {
        long token =
                lock.acquire("a1").above(lock.time() + 2 * Bench.SECOND).now().token();
        assertThat(token - lock.time()).isLessThan(2 * Bench.SECOND + 1);
    }

    /** A repeat has its token already, and a floor is no reason to refuse it. */
    @Test
    void aRepeatKeepsTheTokenWhateverTheFloor() {
        long token = lock.acquire("p1").as("job").now().token();
        long seen = lock.time() + Bench.HOUR;
        assertThat(lock.acquire("p1").as("job").above(seen).now().token()).isEqualTo(token);
        assertThat(lock.acquire("p2").as("job").above(token).now().token())
                .as("a re-entry")
                .isEqualTo(token);
        assertThat(lock.acquire("x").above(seen).now().code()).isEqualTo(Code.BUSY);
    }

    /**
     * A failover with replication lag lost the release and another's grant: the older hold is back, and its owner
     * acquires again.
     */
    @Test
    void aReentrantAcquireAboveARestoredOlderHoldHasANewToken() {
        long old = lock.acquire("p1").as("job").now().token();
        long lost = lock.time() + Bench.SECOND;
        long token = lock.acquire("p2").as("job").above(lost).now().token();
        assertThat(token).isGreaterThan(lost).isGreaterThan(old);
        assertThat(lock.field("last")).isEqualTo(Long.toString(token));
        assertThat(lock.acquire("p3").as("job").above(token).now().token()).isEqualTo(token);
    }

    @Test
    void aReentrantAcquireIsRefusedLikeAFirstOneWhenDataAndClockAreBehindTheClient() {
        long token = lock.acquire("p1").as("job").now().token();
        Map<String, Object> before = lock.everything();
        Answer answer = lock.acquire("p2")
                .as("job")
                .above(lock.time() + 12 * Bench.SECOND)
                .now();
        assertThat(answer.code()).isEqualTo(Code.CLOCK);
        assertThat(answer.token()).isEqualTo(token);
        assertThat(lock.everything()).isEqualTo(before);
    }

    /** Finding 25 (b) and hazard 28: doubles lose the last digits, and '..' prints 1.79e+15. */
    @Test
    void isExactUpToTheLastOneBelow2To53AndThenExhausted() {
        cycle("a1");
        lock.put("last", LIMIT - 2);
        Answer last = lock.acquire("a2").now();
        assertThat(last.token()).isEqualTo(LIMIT - 1);
        assertThat(lock.fields()).containsEntry("last", "9007199254740991");
        assertThat(lock.acquire("a2").now().token()).as("a repeat").isEqualTo(LIMIT - 1);
        assertThat(lock.force().code()).isEqualTo(ForceRelease.Code.FREED);
        assertThat(lock.field("last")).isEqualTo("9007199254740991");
        Map<String, Object> before = lock.everything();
        Answer none = lock.acquire("a3").now();
        assertThat(none.code()).isEqualTo(Code.EXHAUSTED);
        assertThat(none.token()).isEqualTo(LIMIT - 1);
        assertThat(lock.everything()).isEqualTo(before);
        assertThat(lock.expiry()).isPositive();
    }

    @Test
    void everyNumberIsKeptWithAllItsDigits() {
        lock.acquire("a1").lasting(365 * 24 * Bench.HOUR).now();
        lock.renew("a1", 365 * 24 * Bench.HOUR);
        lock.release("b1", lock.time() + Bench.HOUR);
        assertThat(lock.fields().values()).noneMatch(value -> value.matches(".*\\d[.eE][+\\d].*"));
        assertThat(lock.field("h:a1")).matches("\\d{16}:31536000000000:\\d{16}");
    }
}
