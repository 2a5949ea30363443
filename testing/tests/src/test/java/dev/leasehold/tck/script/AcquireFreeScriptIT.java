package dev.leasehold.tck.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.store.AcquireHold.Answer;
import dev.leasehold.internal.store.AcquireHold.Code;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** {@code acquire_free.lua} grants a lock that is free and that nobody waits for, and changes nothing otherwise. */
class AcquireFreeScriptIT extends BenchBase {

    private static final long LEASE = 30 * Bench.SECOND;

    private void isLeftAlone(Code code, Bench.Entry attempt) {
        Map<String, Object> before = lock.everything();
        assertThat(attempt.ifFree().code()).isEqualTo(code);
        assertThat(lock.everything()).isEqualTo(before);
    }

    @Test
    void aFreeLockIsGrantedAndWrittenAsByAcquire() {
        for (String id : List.of("a1", "a2")) {
            Answer answer = lock.acquire(id)
                    .lasting(LEASE)
                    .by(new Holder("17@host", "main", ""))
                    .ifFree();
            long now = answer.now().micros();
            assertThat(answer.code()).isEqualTo(Code.GRANTED);
            assertThat(answer.leftNanos()).isEqualTo(LEASE * 1000);
            assertThat(answer.token()).isEqualTo(now);
            assertThat(answer.lastToken()).isEqualTo(now);
            assertThat(lock.fields())
                    .isEqualTo(Map.of(
                            "v",
                            "1",
                            "last",
                            Long.toString(now),
                            "own",
                            id,
                            "h:" + id,
                            now + ":" + LEASE + ":" + now,
                            "i:" + id,
                            "17@host main",
                            "ex",
                            Long.toString(lock.expiry())));
            assertThat(lock.release(id).code().name()).isEqualTo("RELEASED");
        }
    }

    /** The expiry of a new key is that of one lease; of a key that is used again it is set ahead, and then stays. */
    @Test
    void theExpiryOfALockThatIsUsedAgainIsSetAhead() {
        long first = grantedAndReleased("a1");
        long exact = lock.expiry();
        // Whole ms, of which the present one is partly over.
        assertThat(exact).isBetween(lock.expiryFor(first + LEASE), lock.expiryFor(first + LEASE) + 3);
        long second = grantedAndReleased("a2");
        long ahead = lock.expiry();
        assertThat(ahead).isGreaterThanOrEqualTo(2 * lock.expiryFor(second + LEASE) - second / Bench.MILLI);
        assertThat(ahead).isEqualTo(Long.parseLong(lock.field("ex")));
        lock.past(second + 5 * Bench.MILLI);
        grantedAndReleased("a3");
        assertThat(lock.expiry()).isEqualTo(ahead);
    }

    private long grantedAndReleased(String id) {
        Answer answer = lock.acquire(id).lasting(LEASE).ifFree();
        assertThat(answer.code()).isEqualTo(Code.GRANTED);
        assertThat(lock.releaseUsual(id).code().name()).isEqualTo("RELEASED");
        return answer.now().micros();
    }

    @Test
    void anExpiryThatIsTooEarlyForTheLeaseIsSetAgain() {
        grantedAndReleased("a1");
        long now = lock.acquire("b1").lasting(3 * Bench.HOUR).ifFree().now().micros();
        assertThat(lock.expiry()).isGreaterThanOrEqualTo(lock.expiryFor(now + 3 * Bench.HOUR));
        assertThat(lock.field("ex")).isEqualTo(Long.toString(lock.expiry()));
    }

    /** Whatever other scripts do to the lock, they leave no field that names a later expiry than the key has. */
    @Test
    void everyOtherStateHasNoExpirySetAhead() {
        for (Consumer<String> change : List.<Consumer<String>>of(
                id -> lock.acquire("b1").waiting("B", 0).now(),
                id -> lock.release(id, lock.time() + Bench.HOUR),
                id -> lock.requestRelease(),
                id -> lock.goOn(id, Bench.SECOND, 0, 3),
                id -> lock.resume("b1", id).now(),
                id -> lock.downgrade(id),
                id -> lock.changePermits(3),
                id -> lock.renew(id, Bench.SECOND),
                id -> lock.force())) {
            redis.command("DEL", lock.key.key());
            lock.acquire("a1").ifFree();
            assertThat(lock.fields()).containsKey("ex");
            change.accept("a1");
            assertThat(lock.fields()).doesNotContainKey("ex");
        }
    }

    @Test
    void aLabelIsWrittenIfThereIsOne() {
        lock.acquire("a1").by(new Holder("17@host", "main", "nightly")).ifFree();
        assertThat(lock.field("l:a1")).isEqualTo("nightly");
    }

    @Test
    void aLiveHoldOfAnotherIsReportedWithTheRestOfIts() {
        lock.acquire("a1").lasting(Bench.HOUR).now();
        Answer answer = lock.acquire("b1").ifFree();
        assertThat(answer.code()).isEqualTo(Code.BUSY);
        assertThat(answer.leftNanos()).isBetween(1L, Bench.HOUR * 1000);
        isLeftAlone(Code.BUSY, lock.acquire("b1"));
        // Its own hold, of an earlier copy: acquire finds it.
        isLeftAlone(Code.UNDECIDED, lock.acquire("a1"));
    }

    @Test
    void aHoldThatHasEndedOrBeganInTheFutureIsForAcquire() {
        lock.acquire("a1").now();
        lock.ended("a1");
        isLeftAlone(Code.UNDECIDED, lock.acquire("b1"));
        lock.writtenAhead("a1", 9 * Bench.HOUR);
        isLeftAlone(Code.UNDECIDED, lock.acquire("b1"));
    }

    @Test
    void namedOwnersReadersAndPermitsAreForAcquire() {
        lock.acquire("a1").as("job").now();
        isLeftAlone(Code.UNDECIDED, lock.acquire("b1"));
        lock.force();
        lock.acquire("a2").reading().now();
        isLeftAlone(Code.UNDECIDED, lock.acquire("b1"));
        lock.force();
        lock.acquire("a3").permits(1, 3).now();
        isLeftAlone(Code.UNDECIDED, lock.acquire("b1"));
    }

    @Test
    void aLockWithWaitersIsForAcquire() {
        lock.acquire("a1").now();
        lock.acquire("b1").waiting("B", 0).now();
        lock.release("a1");
        isLeftAlone(Code.UNDECIDED, lock.acquire("c1"));
    }

    @Test
    void aLockWithATombstoneIsForAcquire() {
        lock.acquire("a1").now();
        lock.release("a1", lock.time() + Bench.HOUR);
        isLeftAlone(Code.UNDECIDED, lock.acquire("a1"));
        isLeftAlone(Code.UNDECIDED, lock.acquire("b1"));
    }

    @Test
    void aRequestThatIsLateOrThatTheClockDoesNotConfirmIsForAcquire() {
        isLeftAlone(Code.UNDECIDED, lock.acquire("a1").notAfter(lock.time() - 1));
        isLeftAlone(Code.UNDECIDED, lock.acquire("a1").above(lock.time() + Bench.HOUR));
        lock.acquire("a1").now();
        lock.release("a1");
        lock.put("last", lock.time() + Bench.HOUR);
        isLeftAlone(Code.UNDECIDED, lock.acquire("b1"));
    }

    @Test
    void whateverIsNoLockIsForAcquire() {
        for (List<String> other : List.of(
                List.of("SET", "some", "thing"),
                List.of("HSET", "some", "some", "thing"),
                List.of("HSET", "some", "v", "2"),
                List.of("HSET", "some", "v", "latch 1", "n", "3"))) {
            String[] command = other.toArray(String[]::new);
            command[1] = lock.key.key();
            redis.command("DEL", lock.key.key());
            redis.command(command);
            String before = String.valueOf(redis.command("DUMP", lock.key.key()));
            assertThat(lock.acquire("a1").ifFree().code()).as("%s", other).isEqualTo(Code.UNDECIDED);
            assertThat(String.valueOf(redis.command("DUMP", lock.key.key()))).isEqualTo(before);
        }
    }
}
