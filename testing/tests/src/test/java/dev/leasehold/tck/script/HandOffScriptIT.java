package dev.leasehold.tck.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.store.AcquireHold.Answer;
import dev.leasehold.internal.store.AcquireHold.Code;
import dev.leasehold.internal.store.ContinueHandOff;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The scripts for a process that hands a lock off to its own waiters: tokens in blocks, and the end of a run. */
class HandOffScriptIT extends BenchBase {

    private ContinueHandOff.Answer goOn(String id) {
        return lock.goOn(id, Bench.HOUR, 0, 10);
    }

    @Test
    void reservedTokensBelongToTheHoldAndTheNextIsAboveAll() {
        Answer block = lock.acquire("a1").reserving(1000).now();
        assertThat(block.lastToken()).isEqualTo(block.token() + 999);
        Answer again = lock.acquire("a1").reserving(7).now();
        assertThat(again.token()).isEqualTo(block.token());
        assertThat(again.lastToken()).isEqualTo(block.lastToken());
        lock.release("a1");
        assertThat(lock.fields()).doesNotContainKey("tok");
        Answer next = lock.acquire("b1").now();
        assertThat(next.token()).isGreaterThan(block.lastToken());
        assertThat(next.lastToken()).isEqualTo(next.token());
    }

    @Test
    void aHoldThatEndedTakesItsTokensAlong() {
        Answer block = lock.acquire("a1").lasting(1).reserving(1000).now();
        lock.past(lock.end("a1"));
        Answer next = lock.acquire("b1").now();
        assertThat(next.token()).isGreaterThan(block.lastToken());
        assertThat(lock.fields()).doesNotContainKey("tok");
        assertThat(lock.acquire("b1").now().token()).isEqualTo(next.token());
    }

    @Test
    void aForcedReleaseTakesThemAlongToo() {
        Answer block = lock.acquire("a1").reserving(1000).now();
        lock.force();
        assertThat(lock.fields()).doesNotContainKey("tok");
        assertThat(lock.acquire("b1").now().token()).isGreaterThan(block.lastToken());
    }

    @Test
    void tokensNeverLieMoreThanASecondAheadOfTheClock() {
        Answer first = lock.acquire("a1").reserving(2_000_000).now();
        assertThat(first.lastToken()).isEqualTo(first.token());
        lock.put("last", lock.time() + 2 * Bench.SECOND);
        ContinueHandOff.Answer next = lock.goOn("a1", 1, 0, 1000);
        assertThat(next.lastToken()).isEqualTo(next.token());
    }

    @Test
    void withoutOtherWaitersTheHoldContinuesWithNewTokens() {
        Answer block = lock.acquire("a1").lasting(Bench.SECOND).reserving(10).now();
        ContinueHandOff.Answer on = goOn("a1");
        assertThat(on.code()).isEqualTo(ContinueHandOff.Code.GOING);
        assertThat(on.token()).isGreaterThan(block.lastToken());
        assertThat(on.lastToken()).isEqualTo(on.token() + 9);
        assertThat(on.leftNanos()).isEqualTo(Bench.HOUR * 1000);
        assertThat(lock.field("last")).isEqualTo(Long.toString(on.lastToken()));
        // A repeat of the acquire belongs to the block in use.
        assertThat(lock.acquire("a1").now().token()).isEqualTo(on.token());
    }

    @Test
    void anEndIsNeverLowered() {
        lock.acquire("a1").now();
        long end = lock.end("a1");
        ContinueHandOff.Answer on = lock.goOn("a1", 1000, 0, 1);
        assertThat(lock.end("a1")).isEqualTo(end);
        assertThat(on.leftNanos()).isEqualTo((end - on.now().micros()) * 1000);
    }

    @Test
    void itsOwnPositionInTheQueueIsNoOtherWaiter() {
        lock.acquire("a1").now();
        Answer own = lock.acquire("a2").waiting("A", 0).now();
        assertThat(lock.goOn("a1", Bench.HOUR, own.position(), 1).code()).isEqualTo(ContinueHandOff.Code.GOING);
        lock.acquire("b1").waiting("B", 0).now();
        assertThat(lock.goOn("a1", Bench.HOUR, own.position(), 1).code()).isEqualTo(ContinueHandOff.Code.WANTED);
    }

    @Test
    void aWaiterOfAnotherClientIsNext() {
        lock.acquire("a1").now();
        lock.acquire("b1").waiting("B", 0).now();
        Map<String, String> before = lock.fields();
        assertThat(goOn("a1").code()).isEqualTo(ContinueHandOff.Code.WANTED);
        assertThat(lock.field("h:a1")).isEqualTo(before.get("h:a1"));
        assertThat(lock.field("last")).isEqualTo(before.get("last"));
        assertThat(lock.field("wb")).isEqualTo("8");
    }

    @Test
    void aDeadWaiterDoesNotCount() {
        lock.acquire("a1").now();
        Answer head = lock.acquire("b1").waiting("B", 0).now();
        lock.put("q:" + head.position(), lock.time() - 7 * Bench.SECOND - 1 + ":B");
        assertThat(goOn("a1").code()).isEqualTo(ContinueHandOff.Code.GOING);
    }

    @Test
    void aHoldThatIsOverDoesNotGoOn() {
        assertThat(goOn("a1").code()).isEqualTo(ContinueHandOff.Code.GONE);
        lock.acquire("a1").lasting(1).now();
        lock.past(lock.end("a1"));
        Map<String, String> before = lock.fields();
        assertThat(goOn("a1").code()).isEqualTo(ContinueHandOff.Code.ENDED);
        assertThat(lock.fields()).isEqualTo(before);
        lock.acquire("b1").now();
        ContinueHandOff.Answer taken = goOn("a1");
        assertThat(taken.code()).isEqualTo(ContinueHandOff.Code.GONE);
        assertThat(taken.detail()).isEqualTo("taken");
    }

    @Test
    void whatLiesElseUnderTheKeyIsLeftAlone() {
        lock.command("SET", lock.key.key(), "something");
        assertThat(goOn("a1").code()).isEqualTo(ContinueHandOff.Code.FOREIGN);
        assertThat(lock.command("GET", lock.key.key())).isEqualTo("something");
        assertThat(lock.acquire("b1").reserving(5).now().code()).isEqualTo(Code.FOREIGN);
    }
}
