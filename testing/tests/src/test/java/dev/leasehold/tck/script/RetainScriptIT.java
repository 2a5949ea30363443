package dev.leasehold.tck.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.store.AcquireHold.Answer;
import dev.leasehold.internal.store.AcquireHold.Code;
import dev.leasehold.internal.store.ContinueHandOff;
import dev.leasehold.internal.store.ReleaseHold;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The script that keeps a hold between two uses: its end, its tokens, and who is asked for it. */
class RetainScriptIT extends BenchBase {

    private static final long HALF = Bench.SECOND / 2;

    private ContinueHandOff.Answer retain(String id, long last, boolean again) {
        return lock.retain(id, HALF, last, again);
    }

    @Test
    void aLaterEndIsLoweredAndTokensAreReservedUpToTheNewOne() {
        Answer granted = lock.acquire("a1").now();
        ContinueHandOff.Answer kept = retain("a1", granted.token(), false);
        assertThat(kept.code()).isEqualTo(ContinueHandOff.Code.GOING);
        assertThat(lock.end("a1") - kept.now().micros()).isEqualTo(HALF);
        assertThat(kept.token()).isGreaterThan(granted.token());
        assertThat(kept.lastToken()).isEqualTo(kept.now().micros() + HALF);
        assertThat(lock.fields()).containsEntry("rt", kept.lastToken() + ":the channel");
    }

    @Test
    void aRepeatLowersNothing() {
        Answer granted = lock.acquire("a1").now();
        retain("a1", granted.token(), false);
        lock.renew("a1", Bench.HOUR);
        long end = lock.end("a1");
        assertThat(retain("a1", granted.token(), false).code()).isEqualTo(ContinueHandOff.Code.SPENT);
        assertThat(lock.end("a1")).isEqualTo(end);
    }

    @Test
    void retainedAgainALaterEndStays() {
        Answer granted = lock.acquire("a1").now();
        ContinueHandOff.Answer kept = retain("a1", granted.token(), false);
        ContinueHandOff.Answer longer = retain("a1", kept.lastToken(), true);
        assertThat(longer.token()).isGreaterThan(kept.lastToken());
        lock.renew("a1", Bench.HOUR);
        long end = lock.end("a1");
        assertThat(retain("a1", longer.lastToken(), true).code()).isEqualTo(ContinueHandOff.Code.GOING);
        assertThat(lock.end("a1")).isEqualTo(end);
    }

    @Test
    void aClientThatFindsTheLockBusyAsksOnceAndEndsTheRetention() {
        Answer granted = lock.acquire("a1").now();
        ContinueHandOff.Answer kept = retain("a1", granted.token(), false);
        assertThat(lock.acquire("b1").now().code()).isEqualTo(Code.BUSY);
        assertThat(lock.fields()).doesNotContainKey("rt");
        assertThat(retain("a1", kept.lastToken(), true).code()).isEqualTo(ContinueHandOff.Code.WANTED);
        lock.release("a1");
        Answer next = lock.acquire("b2").now();
        assertThat(next.token()).isGreaterThan(kept.lastToken());
        assertThat(lock.fields()).doesNotContainKeys("rt", "tok");
    }

    /** Else it would grant the lock to its next caller, beside the next holder. */
    @Test
    void aForcedReleaseAsksWhoeverRetainsTheLock() {
        Wire retainer = subscribes("the channel");
        Answer granted = lock.acquire("a1").now();
        retain("a1", granted.token(), false);
        lock.force();
        assertThat(retainer.receive()).isEqualTo(List.of("message", "the channel", "release " + lock.key.key()));
    }

    @Test
    void whatBelongedToAnEarlierHoldAsksNobody() {
        Answer granted = lock.acquire("a1").now();
        retain("a1", granted.token(), false);
        lock.force();
        lock.acquire("b1").now();
        lock.put("rt", "1:the channel");
        assertThat(lock.acquire("c1").now().code()).isEqualTo(Code.BUSY);
        assertThat(lock.fields()).containsEntry("rt", "1:the channel");
    }

    @Test
    void aReleaseGivesBackTheTokensThatNoLeaseHad() {
        Answer granted = lock.acquire("a1").now();
        ContinueHandOff.Answer kept = retain("a1", granted.token(), false);
        lock.release("a1", new ReleaseHold.Tokens(kept.token(), kept.lastToken()));
        assertThat(lock.fields()).containsEntry("last", Long.toString(kept.token()));
    }

    @Test
    void aReleaseAfterARetainWithoutAnAnswerGivesItsTokensBack() {
        Answer granted = lock.acquire("a1").now();
        retain("a1", granted.token(), false);
        lock.release("a1", new ReleaseHold.Tokens(granted.token(), granted.token()));
        assertThat(lock.fields()).containsEntry("last", Long.toString(granted.token()));
    }

    /** As after a failover that lost the first hold, when late copies of its acquire and its release arrive. */
    @Test
    void aLateReleaseGivesNothingBackOfAnotherHoldOfItsId() {
        Answer granted = lock.acquire("a1").now();
        ContinueHandOff.Answer kept = retain("a1", granted.token(), false);
        lock.release("a1", new ReleaseHold.Tokens(granted.token(), kept.lastToken()));
        Answer other = lock.acquire("b1").now();
        lock.release("b1");
        Answer again = lock.acquire("a1").now();
        assertThat(again.token()).isGreaterThan(other.token());
        lock.release("a1", new ReleaseHold.Tokens(granted.token(), kept.lastToken()));
        assertThat(lock.fields()).containsEntry("last", Long.toString(again.token()));
    }

    @Test
    void aHoldThatEndedOrIsGoneIsNotRetained() {
        assertThat(retain("a1", 1, false).code()).isEqualTo(ContinueHandOff.Code.GONE);
        Answer granted = lock.acquire("a1").lasting(1).now();
        lock.past(lock.end("a1"));
        assertThat(retain("a1", granted.token(), false).code()).isEqualTo(ContinueHandOff.Code.ENDED);
        lock.acquire("b1").now();
        ContinueHandOff.Answer taken = retain("a1", granted.token(), false);
        assertThat(taken.code()).isEqualTo(ContinueHandOff.Code.GONE);
        assertThat(taken.detail()).isEqualTo("taken");
    }
}
