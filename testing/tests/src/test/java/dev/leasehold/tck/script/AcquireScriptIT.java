package dev.leasehold.tck.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.store.AcquireHold.Answer;
import dev.leasehold.internal.store.AcquireHold.Code;
import dev.leasehold.internal.store.InspectLock;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AcquireScriptIT extends BenchBase {

    private static final long LEASE = 30 * Bench.SECOND;

    @Test
    void aFreeLockIsGrantedAndEveryFieldIsAsTheProtocolSays() {
        Answer answer = lock.acquire("a1")
                .lasting(LEASE)
                .by(new Holder("17@host", "main", "trace 9"))
                .now();
        long now = answer.now().micros();
        assertThat(answer.code()).isEqualTo(Code.GRANTED);
        assertThat(answer.leftNanos()).isEqualTo(LEASE * 1000);
        assertThat(answer.token()).isEqualTo(now);
        assertThat(lock.fields())
                .isEqualTo(Map.of(
                        "v", "1",
                        "last", Long.toString(now),
                        "own", "a1",
                        "h:a1", now + ":" + LEASE + ":" + now,
                        "i:a1", "17@host main",
                        "l:a1", "trace 9"));
        assertThat(lock.expiry()).isEqualTo(lock.expiryFor(now + LEASE));
    }

    @Test
    void aHeldLockIsBusyForWhatItsHolderHasLeftAndNothingChanges() {
        lock.acquire("a1").lasting(LEASE).now();
        Map<String, Object> before = lock.everything();
        Answer busy = lock.acquire("b1").lasting(99 * LEASE).now();
        assertThat(busy.code()).isEqualTo(Code.BUSY);
        assertThat(busy.leftNanos()).isEqualTo((lock.end("a1") - busy.now().micros()) * 1000);
        assertThat(lock.everything()).isEqualTo(before);
    }

    /** Finding 1: a retry that granted the full lease again made two holders. */
    @Test
    void aRepeatFindsItsOwnHoldReportsTheRemainingTimeAndNeverMovesTheEnd() {
        Answer first = lock.acquire("a1").lasting(LEASE).now();
        Map<String, Object> before = lock.everything();
        lock.past(first.now().micros() + 20 * Bench.MILLI);
        Answer repeat = lock.acquire("a1").lasting(LEASE).now();
        assertThat(repeat.code()).isEqualTo(Code.GRANTED);
        assertThat(repeat.token()).isEqualTo(first.token());
        assertThat(repeat.leftNanos())
                .isEqualTo((lock.end("a1") - repeat.now().micros()) * 1000)
                .isLessThan((LEASE - 20 * Bench.MILLI) * 1000);
        assertThat(lock.everything()).isEqualTo(before);
    }

    /** Finding 6: after a retry that only read, WAIT would refer to another client's write. */
    @Test
    void aRepeatWritesTheExpiry() {
        Answer first = lock.acquire("a1").lasting(LEASE).now();
        lock.command("PEXPIRE", lock.key.key(), "99000");
        lock.acquire("a1").lasting(LEASE).now();
        assertThat(lock.expiry()).isEqualTo(lock.expiryFor(first.now().micros() + LEASE));
    }

    /** Finding 5: an ended hold is never revived, even if no other client acquired the lock. */
    @Test
    void aRepeatAfterTheEndIsRefusedAndRevivesNothing() {
        Answer first = lock.acquire("a1").lasting(Bench.MILLI).now();
        lock.past(first.now().micros() + Bench.MILLI);
        Map<String, Object> before = lock.everything();
        assertThat(lock.acquire("a1").lasting(LEASE).now().code()).isEqualTo(Code.ENDED);
        assertThat(lock.everything()).isEqualTo(before);
    }

    @Test
    void theNextOwnerTakesOverWhatHasEndedWithAHigherTokenAndNothingOfItStays() {
        Answer first = lock.acquire("a1")
                .lasting(Bench.MILLI)
                .by(new Holder("1@h", "t", "label"))
                .now();
        lock.past(first.now().micros() + Bench.MILLI);
        Answer next = lock.acquire("b1").lasting(LEASE).now();
        assertThat(next.code()).isEqualTo(Code.GRANTED);
        assertThat(next.token()).isGreaterThan(first.token());
        assertThat(lock.fields()).containsOnlyKeys("v", "last", "own", "h:b1", "i:b1");
    }

    /** Finding 11: neither a stalled socket nor a client that replays takes a lock for a caller that has left. */
    @Test
    void aRequestAfterItsNotAfterIsStaleAndLeavesNothing() {
        long now = lock.time();
        Answer answer = lock.acquire("a1").notAfter(now - 1).now();
        assertThat(answer.code()).isEqualTo(Code.STALE);
        assertThat(answer.now().micros()).isBetween(now, now + 30 * Bench.SECOND);
        assertThat(lock.expiry()).isEqualTo(-2);
    }

    @Test
    void aLateRepeatIsStaleAlthoughItsHoldIsThereAndMovesNothing() {
        lock.acquire("a1").lasting(LEASE).now();
        Map<String, Object> before = lock.everything();
        assertThat(lock.acquire("a1")
                        .lasting(99 * LEASE)
                        .notAfter(lock.time() - 1)
                        .now()
                        .code())
                .isEqualTo(Code.STALE);
        assertThat(lock.everything()).isEqualTo(before);
    }

    @Test
    void inspectReturnsAllFieldsAndChangesNothing() {
        assertThat(inspected()).isEmpty();
        assertThat(lock.expiry()).isEqualTo(-2);
        lock.acquire("a1").now();
        Map<String, Object> before = lock.everything();
        InspectLock.Answer answer = lock.inspect();
        assertThat(answer.code()).isEqualTo(InspectLock.Code.LOCK);
        assertThat(answer.state().holds()).hasSize(1);
        assertThat(inspected()).isEqualTo(lock.fields());
        assertThat(answer.now().micros()).isGreaterThanOrEqualTo(Long.parseLong(lock.field("last")));
        assertThat(lock.everything()).isEqualTo(before);
    }

    @Test
    void oneInspectReadsSeveralLocksOfWhichSomeAreFreeOrSomethingElse() {
        lock.acquire("a1").now();
        LockKey free = LockKey.of(new KeyPrefix("tck"), "free");
        LockKey other = LockKey.of(new KeyPrefix("tck"), "other");
        lock.command("SET", other.key(), "something");
        List<InspectLock.Answer> answers = lock.send(new InspectLock.Many(List.of(free, lock.key, other, lock.key), 1))
                .each();
        assertThat(answers)
                .extracting(InspectLock.Answer::code)
                .containsExactly(
                        InspectLock.Code.LOCK, InspectLock.Code.LOCK, InspectLock.Code.FOREIGN, InspectLock.Code.LOCK);
        assertThat(answers).extracting(answer -> answer.state().holds().size()).containsExactly(0, 1, 0, 1);
        assertThat(answers.get(2).found()).isEqualTo("string");
        lock.command("DEL", other.key());
    }

    /** The fields in the reply of inspect. */
    private Map<String, String> inspected() {
        List<String> reply = lock.run(lock.scripts.call(new InspectLock(lock.key, 1)));
        assertThat(reply.get(2)).as("omitted").isEqualTo("0");
        Map<String, String> fields = new TreeMap<>();
        for (int i = 3; i < reply.size(); i += 2) {
            fields.put(reply.get(i), reply.get(i + 1));
        }
        return fields;
    }
}
