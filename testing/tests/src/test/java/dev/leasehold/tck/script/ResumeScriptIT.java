package dev.leasehold.tck.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.DowngradeHold;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.RenewHold;
import dev.leasehold.internal.store.ResumeHold.Answer;
import dev.leasehold.internal.store.ResumeHold.Code;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A resumed hold: a1 is the former acquisition, b1 the one that resumes it. */
class ResumeScriptIT extends BenchBase {

    private void assertNothingChanged(Bench.Resumption resumption, Code code) {
        Map<String, Object> before = lock.everything();
        assertThat(resumption.now().code()).isEqualTo(code);
        assertThat(lock.everything()).isEqualTo(before);
    }

    @Test
    void resumesUnderANewIdAndAHigherTokenAndTheFormerIsGone() {
        AcquireHold.Answer former = lock.acquire("a1").lasting(2 * Bench.HOUR).now();
        Answer answer = lock.resume("b1", "a1").lasting(Bench.HOUR).now();
        assertThat(answer.code()).isEqualTo(Code.GRANTED);
        assertThat(answer.leftNanos()).isEqualTo(Bench.HOUR * 1000);
        assertThat(answer.token()).isGreaterThan(former.token());
        assertThat(lock.fields())
                .containsOnlyKeys("v", "last", "own", "h:b1", "i:b1", "l:b1")
                .containsEntry("own", "b1")
                .containsEntry("last", Long.toString(answer.token()))
                .containsEntry("i:b1", "18@host main")
                .containsEntry("l:b1", "resumed");
        long now = answer.now().micros();
        assertThat(lock.field("h:b1")).isEqualTo(now + ":" + Bench.HOUR + ":" + now);
        assertThat(lock.expiry()).isEqualTo(lock.expiryFor(now + Bench.HOUR));
        assertThat(lock.renew("a1", Bench.HOUR).detail()).isEqualTo("taken");
        assertThat(lock.release("a1").code()).isEqualTo(ReleaseHold.Code.GONE);
        assertThat(lock.acquire("x").now().code()).isEqualTo(AcquireHold.Code.BUSY);
        assertThat(lock.renew("b1", Bench.HOUR).code()).isEqualTo(RenewHold.Code.RENEWED);
        assertThat(lock.release("b1").code()).isEqualTo(ReleaseHold.Code.RELEASED);
        assertThat(lock.acquire("x").now().token()).isGreaterThan(answer.token());
    }

    @Test
    void worksOnce() {
        lock.acquire("a1").now();
        lock.resume("b1", "a1").now();
        Map<String, Object> before = lock.everything();
        Answer second = lock.resume("c1", "a1").now();
        assertThat(second.code()).isEqualTo(Code.GONE);
        assertThat(second.detail()).isEqualTo("taken");
        assertThat(lock.everything()).isEqualTo(before);
    }

    @Test
    void aRepeatFindsItsOwnHoldWithTheSameTokenAndWhatIsLeft() {
        lock.acquire("a1").now();
        Answer first = lock.resume("b1", "a1").lasting(Bench.HOUR).now();
        long end = lock.end("b1");
        Answer again = lock.resume("b1", "a1").lasting(2 * Bench.HOUR).now();
        assertThat(again.code()).isEqualTo(Code.GRANTED);
        assertThat(again.token()).isEqualTo(first.token());
        assertThat(again.leftNanos()).isEqualTo((end - again.now().micros()) * 1000);
        assertThat(lock.end("b1")).isEqualTo(end);
    }

    @Test
    void aRepeatRevivesNoHoldThatHasEnded() {
        lock.acquire("a1").now();
        Answer first = lock.resume("b1", "a1").lasting(Bench.MILLI).now();
        lock.past(first.now().micros() + Bench.MILLI);
        assertNothingChanged(lock.resume("b1", "a1"), Code.ENDED);
    }

    @Test
    void aCopyThatArrivesTooLateOrAfterItsOwnReleaseTakesNothing() {
        lock.acquire("a1").now();
        assertNothingChanged(lock.resume("b1", "a1").notAfter(lock.time() - 1), Code.STALE);
        lock.release("b1", lock.time() + Bench.HOUR);
        assertNothingChanged(lock.resume("b1", "a1"), Code.STALE);
        assertThat(lock.renew("a1", Bench.HOUR).code()).isEqualTo(RenewHold.Code.RENEWED);
    }

    @Test
    void aHoldThatIsReleasedOrEndedOrTakenAwayIsGone() {
        lock.acquire("a1").now();
        lock.release("a1");
        assertThat(lock.resume("b1", "a1").now().detail()).isEqualTo("free");
        AcquireHold.Answer brief = lock.acquire("a2").lasting(Bench.MILLI).now();
        lock.past(brief.now().micros() + Bench.MILLI);
        Answer ended = lock.resume("b1", "a2").now();
        assertThat(ended.code()).isEqualTo(Code.GONE);
        assertThat(ended.detail()).isEqualTo("ended");
        lock.acquire("x").now();
        assertThat(lock.resume("b1", "a2").now().detail()).isEqualTo("taken");
        lock.force();
        assertThat(lock.resume("b1", "x").now().detail()).isEqualTo("free");
        redis.flush();
        assertThat(lock.resume("b1", "x").now().detail()).isEqualTo("free");
        assertThat(lock.expiry()).isEqualTo(-2);
    }

    /** The former sent its acquire twice: the second copy arrives when the lock is free again. */
    @Test
    void aLateCopyOfTheFormersAcquireIsRefused() {
        lock.acquire("a1").now();
        long soon = lock.time() + Bench.HOUR;
        lock.resume("b1", "a1").burying(soon).now();
        assertThat(lock.fields()).containsEntry("x:a1", Long.toString(soon)).containsEntry("xn", "1:" + soon);
        lock.release("b1");
        assertThat(lock.acquire("a1").now().code()).isEqualTo(AcquireHold.Code.STALE);
        lock.acquire("c1").now();
        lock.resume("d1", "c1").burying(lock.time() - 1).now();
        assertThat(lock.fields()).doesNotContainKey("x:c1").containsEntry("xn", "1:" + soon);
    }

    @Test
    void theTokenIsAboveTheFloorAndAboveTheReservedTokensOfTheFormer() {
        AcquireHold.Answer former = lock.acquire("a1").reserving(50).now();
        assertThat(former.lastToken()).isEqualTo(former.token() + 49);
        Answer answer = lock.resume("b1", "a1").now();
        assertThat(answer.token()).isGreaterThan(former.lastToken());
        assertThat(lock.fields()).doesNotContainKey("tok");
        long floor = lock.time() + Bench.SECOND;
        assertThat(lock.resume("c1", "b1").above(floor).now().token()).isEqualTo(floor + 1);
        assertNothingChanged(lock.resume("d1", "c1").above(lock.time() + Bench.HOUR), Code.CLOCK);
        lock.put("last", (1L << 53) - 1);
        assertNothingChanged(lock.resume("d1", "c1"), Code.EXHAUSTED);
    }

    @Test
    void aNamedOwnerStaysTheOwnerAndEntersAgainWithTheNewToken() {
        lock.acquire("a1").as("job").now();
        Answer answer = lock.resume("b1", "a1").as("job").now();
        assertThat(answer.code()).isEqualTo(Code.GRANTED);
        assertThat(lock.field("own")).isEqualTo("n:job");
        assertThat(lock.acquire("b2").as("job").now().token()).isEqualTo(answer.token());
    }

    /** A new token for one hold would make the tokens of the others stale at the resource. */
    @Test
    void oneOfSeveralHoldsOfANamedOwnerIsNotTakenOver() {
        lock.acquire("a1").as("job").now();
        lock.acquire("a2").as("job").now();
        assertNothingChanged(lock.resume("b1", "a1").as("job"), Code.SEVERAL);
        assertThat(lock.resume("b1", "a1").as("job").now().detail()).isEqualTo("1");
        lock.ended("a2");
        assertThat(lock.resume("b1", "a1").as("job").now().code()).isEqualTo(Code.GRANTED);
        assertThat(lock.fields()).doesNotContainKeys("h:a2", "i:a2", "h:a1");
    }

    @Test
    void anotherOwnerThanTheFormersTakesNothing() {
        lock.acquire("a1").as("job").now();
        assertNothingChanged(lock.resume("b1", "a1"), Code.GONE);
        assertNothingChanged(lock.resume("b1", "a1").as("other"), Code.GONE);
    }

    @Test
    void aWriterThatBecameAReaderIsNotTakenOver() {
        lock.acquire("a1").now();
        assertThat(lock.downgrade("a1").code()).isEqualTo(DowngradeHold.Code.SHARED);
        assertNothingChanged(lock.resume("b1", "a1"), Code.GONE);
    }

    /** Its client releases it before its minimum is over: readers share its token, and their holds have a sum. */
    @Test
    void aReaderKeepsItsTokenAndLosesNoOtherReader() {
        AcquireHold.Answer writer = lock.acquire("w").reserving(50).now();
        long token = writer.token() + 1;
        lock.downgrade("w", writer.lastToken(), token);
        String last = lock.field("last");
        lock.acquire("b").reading().lasting(2 * Bench.HOUR).now();
        Answer kept = lock.resume("k", "w").reading().lasting(Bench.SECOND).now();
        assertThat(kept.code()).isEqualTo(Code.GRANTED);
        assertThat(kept.token()).isEqualTo(token);
        assertThat(lock.fields())
                .doesNotContainKeys("h:w", "i:w")
                .containsKeys("h:b", "h:k")
                .containsEntry("own", "r")
                .containsEntry("last", last)
                .containsEntry("tok", Long.toString(token));
        assertThat(lock.field("rs")).isEqualTo("2:" + lock.end("k") + ":" + lock.end("b") + ":" + 2 * Bench.HOUR);
        assertThat(lock.expiry()).isEqualTo(lock.expiryFor(lock.end("b")));
        assertThat(lock.resume("k", "w").reading().now().token()).as("a repeat").isEqualTo(token);
        assertThat(lock.resume("l", "w").reading().now().code()).as("once").isEqualTo(Code.GONE);
        assertThat(lock.acquire("c").reading().now().token()).isEqualTo(token);
        lock.release("b");
        lock.release("c");
        assertThat(lock.acquire("x").now().code()).isEqualTo(AcquireHold.Code.BUSY);
        lock.past(kept.now().micros() + Bench.SECOND);
        assertThat(lock.acquire("x").now().token()).isGreaterThan(Long.parseLong(last));
    }

    /** A failover has lost the downgrade. */
    @Test
    void aReaderWhoseHoldIsAWritersInRedisBecomesOneOfReaders() {
        AcquireHold.Answer writer = lock.acquire("w").now();
        Answer kept = lock.resume("k", "w").reading().now();
        assertThat(kept.code()).isEqualTo(Code.GRANTED);
        assertThat(kept.token()).isGreaterThan(writer.token());
        assertThat(lock.field("own")).isEqualTo("r");
        assertThat(lock.acquire("b").reading().now().token()).isEqualTo(kept.token());
        lock.release("k");
        lock.release("b");
        assertThat(lock.fields()).doesNotContainKeys("own", "rs");
    }

    @Test
    void theQueueStaysAsItIs() {
        lock.acquire("a1").now();
        AcquireHold.Answer waiter = lock.acquire("x").fairly("w:x", 0).now();
        Map<String, String> before = lock.fields();
        lock.resume("b1", "a1").now();
        assertThat(lock.fields())
                .containsAllEntriesOf(
                        Map.of("q:" + waiter.position(), before.get("q:" + waiter.position()), "wn", "1", "qf", "1"));
        assertThat(lock.acquire("y").fairly("", 0).now().code()).isEqualTo(AcquireHold.Code.BUSY);
        lock.release("b1");
        assertThat(lock.acquire("y").fairly("", 0).now().code()).isEqualTo(AcquireHold.Code.BUSY);
        assertThat(lock.acquire("x").fairly("w:x", waiter.position()).now().code())
                .isEqualTo(AcquireHold.Code.GRANTED);
    }

    @Test
    void anEndFromBeforeAStepBackOfTheClockIsLive() {
        lock.acquire("a1").lasting(2 * Bench.SECOND).now();
        lock.writtenAhead("a1", Bench.HOUR);
        Answer answer = lock.resume("b1", "a1").lasting(Bench.SECOND).now();
        assertThat(answer.code()).isEqualTo(Code.GRANTED);
        assertThat(lock.fields()).doesNotContainKey("h:a1");
        assertThat(lock.expiry()).isEqualTo(lock.expiryFor(answer.now().micros() + Bench.SECOND));
    }

    @Test
    void somethingElseUnderTheKeyIsLeft() {
        lock.command("SET", lock.key.key(), "x");
        Answer answer = lock.resume("b1", "a1").now();
        assertThat(answer.code()).isEqualTo(Code.FOREIGN);
        assertThat(answer.detail()).isEqualTo("string");
        redis.flush();
    }
}
