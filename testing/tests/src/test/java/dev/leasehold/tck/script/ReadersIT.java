package dev.leasehold.tck.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.store.AcquireHold.Answer;
import dev.leasehold.internal.store.AcquireHold.Code;
import dev.leasehold.internal.store.ContinueHandOff;
import dev.leasehold.internal.store.DowngradeHold;
import dev.leasehold.internal.store.ForceRelease;
import dev.leasehold.internal.store.LeaveQueue;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.RenewHold;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Holds of readers, which one owner has in common, and their sum. Finding 22; hazard 29: each ends by its own field. */
class ReadersIT extends BenchBase {

    private Answer reads(String id) {
        Answer answer = lock.acquire(id).reading().now();
        assertThat(answer.code()).isEqualTo(Code.GRANTED);
        return answer;
    }

    private void assertBusy(Bench.Entry entry) {
        assertThat(entry.now().code()).isEqualTo(Code.BUSY);
    }

    /** Count, earliest and latest end, longest hold. */
    private String sum(int count, String earliest, String latest) {
        return count + ":" + lock.end(earliest) + ":" + lock.end(latest) + ":" + Bench.HOUR;
    }

    @Test
    void shareTheLockAndAToken() {
        Answer first = reads("a");
        Answer second = reads("b");
        assertThat(second.token()).isEqualTo(first.token());
        assertThat(lock.field("own")).isEqualTo("r");
        assertThat(lock.field("rs")).isEqualTo(sum(2, "a", "b"));
        assertBusy(lock.acquire("w"));
        assertBusy(lock.acquire("w").as("job"));
        lock.release("a");
        assertBusy(lock.acquire("w"));
        assertThat(lock.field("rs")).startsWith("1:");
        lock.release("b");
        assertThat(lock.fields()).doesNotContainKeys("rs", "own");
        Answer writer = lock.acquire("w").now();
        assertThat(writer.token()).isGreaterThan(first.token());
        assertBusy(lock.acquire("c").reading());
        lock.release("w");
        assertThat(reads("c").token()).isGreaterThan(writer.token());
    }

    @Test
    void aRepeatEntersNothingTwice() {
        reads("a");
        reads("a");
        assertThat(lock.field("rs")).startsWith("1:");
        lock.release("a");
        lock.release("a");
        assertThat(lock.fields()).doesNotContainKeys("rs", "own");
    }

    @Test
    void aDeadReaderIsRemovedByAnyRequest() {
        reads("a");
        reads("b");
        reads("c");
        lock.ended("a");
        lock.put("rs", "3:" + lock.end("a") + ":" + lock.end("c") + ":" + Bench.HOUR);
        reads("d");
        assertThat(lock.fields()).doesNotContainKey("h:a");
        assertThat(lock.field("rs")).isEqualTo(sum(3, "b", "d"));
        lock.ended("b");
        lock.put("rs", "3:" + lock.end("b") + ":" + lock.end("d") + ":" + Bench.HOUR);
        assertThat(lock.renew("c", 2 * Bench.HOUR).code()).isEqualTo(RenewHold.Code.RENEWED);
        assertThat(lock.fields()).doesNotContainKey("h:b");
        assertThat(lock.field("rs")).isEqualTo("2:" + lock.end("d") + ":" + lock.end("c") + ":" + 2 * Bench.HOUR);
    }

    @Test
    void ifAllAreDeadAWriterEntersAndNothingIsLeftOfThem() {
        reads("a");
        reads("b");
        lock.ended("a");
        lock.ended("b");
        lock.put("rs", "2:" + lock.end("a") + ":" + lock.end("b") + ":" + Bench.HOUR);
        assertThat(lock.acquire("w").now().code()).isEqualTo(Code.GRANTED);
        assertThat(lock.fields()).doesNotContainKeys("rs", "h:a", "h:b").containsEntry("own", "w");
    }

    @Test
    void theEndOfOneIsNotThatOfAnother() {
        reads("a");
        reads("b");
        lock.ended("a");
        lock.put("rs", "2:" + lock.end("a") + ":" + lock.end("b") + ":" + Bench.HOUR);
        assertThat(lock.renew("a", Bench.SECOND).code()).isEqualTo(RenewHold.Code.ENDED);
        assertThat(lock.renew("b", Bench.SECOND).code()).isEqualTo(RenewHold.Code.RENEWED);
        assertBusy(lock.acquire("w"));
        // The other's renewal has removed it.
        assertThat(lock.release("a").code()).isEqualTo(ReleaseHold.Code.GONE);
        assertBusy(lock.acquire("w"));
        assertThat(lock.release("b").code()).isEqualTo(ReleaseHold.Code.RELEASED);
    }

    @Test
    void aSumThatIsMissingOrNoSumDoesNoHarm() {
        for (String sum : new String[] {"", "no sum", "-1:2:3:4", "1:0:0:0"}) {
            reads("a");
            reads("b");
            lock.put("rs", sum);
            assertBusy(lock.acquire("w"));
            reads("c");
            assertThat(lock.field("rs")).startsWith("3:");
            lock.put("rs", sum);
            lock.release("c");
            assertThat(lock.field("rs")).startsWith("2:");
            lock.put("rs", sum);
            lock.release("a");
            assertBusy(lock.acquire("w"));
            lock.release("b");
            assertThat(lock.fields()).doesNotContainKeys("rs", "own");
        }
    }

    @Test
    void anEndThatLiesAheadIsSetRight() {
        reads("a");
        lock.writtenAhead("a", Bench.HOUR);
        lock.put("rs", "1:" + lock.end("a") + ":" + lock.end("a") + ":" + Bench.HOUR);
        Answer busy = lock.acquire("w").now();
        assertThat(busy.code()).isEqualTo(Code.BUSY);
        assertThat(busy.leftNanos()).isLessThanOrEqualTo(Bench.HOUR * 1000);
        assertThat(lock.end("a")).isLessThanOrEqualTo(lock.time() + Bench.HOUR);
    }

    @Test
    void aFullMemoryPreventsNoRenewalAndNoRelease() {
        reads("a");
        reads("b");
        for (int i = 0; i < 40; i++) {
            lock.command("SET", "filler:" + i, "x".repeat(100_000));
        }
        redis.command("CONFIG", "SET", "maxmemory", "3mb");
        assertThat(lock.renew("a", 2 * Bench.HOUR).code()).isEqualTo(RenewHold.Code.RENEWED);
        assertThat(lock.release("b").code()).isEqualTo(ReleaseHold.Code.RELEASED);
        assertThat(lock.field("rs")).startsWith("1:");
        assertThat(lock.release("a").code()).isEqualTo(ReleaseHold.Code.RELEASED);
    }

    @Test
    void aNewReaderYieldsToAWaitingWriterAndNotToOthers() {
        reads("a");
        Answer reader = lock.acquire("w").waiting("w:w", 0).now();
        assertThat(reader.code()).isEqualTo(Code.BUSY);
        assertBusy(lock.acquire("b").reading());
        Answer behind = lock.acquire("b").reading().waiting("w:b", 0).now();
        assertThat(behind.rank()).isEqualTo(1);
        assertThat(lock.field("q:" + behind.position())).contains("r:w:b");
        assertThat(lock.leave("w:w", reader.position()).code()).isEqualTo(LeaveQueue.Code.LEFT);
        reads("c");
        assertThat(lock.acquire("b")
                        .reading()
                        .waiting("w:b", behind.position())
                        .now()
                        .code())
                .isEqualTo(Code.GRANTED);
        assertThat(lock.fields()).doesNotContainKeys("wn", "qh");
    }

    @Test
    void aDeadWriterExcludesNoReader() {
        reads("a");
        Answer writer = lock.acquire("w").waiting("w:w", 0).now();
        assertBusy(lock.acquire("b").reading());
        lock.put("q:" + writer.position(), lock.time() - 8 * Bench.SECOND + ":w:w");
        reads("b");
    }

    @Test
    void whatIsKeptForAReaderIsKeptForAll() {
        lock.acquire("w").now();
        Answer waits = lock.acquire("a").reading().waiting("w:a", 0).now();
        lock.put("rv", waits.position());
        lock.release("w");
        lock.put("rv", waits.position());
        lock.put("re", lock.time() + Bench.HOUR + ":" + Bench.HOUR);
        assertBusy(lock.acquire("x"));
        reads("b");
    }

    @Test
    void readersAtTheHeadOfAFairQueueEnterTogetherInAnyOrder() {
        lock.acquire("w").now();
        Answer first = lock.acquire("a").reading().waiting("w:a", 0).now();
        Answer second = lock.acquire("b").reading().waiting("w:b", 0).now();
        Answer writer = lock.acquire("x").fairly("w:x", 0).now();
        lock.release("w");
        lock.put("rv", first.position());
        lock.put("re", lock.time() + Bench.SECOND + ":" + Bench.SECOND);
        assertThat(lock.acquire("b")
                        .reading()
                        .waiting("w:b", second.position())
                        .now()
                        .code())
                .isEqualTo(Code.GRANTED);
        assertThat(lock.fields()).containsKey("q:" + first.position());
        assertThat(lock.acquire("a")
                        .reading()
                        .waiting("w:a", first.position())
                        .now()
                        .code())
                .isEqualTo(Code.GRANTED);
        assertBusy(lock.acquire("x").fairly("w:x", writer.position()));
    }

    @Test
    void aWriterBecomesAReaderOnce() {
        long token = lock.acquire("w").now().token();
        DowngradeHold.Answer first = lock.downgrade("w");
        assertThat(first.code()).isEqualTo(DowngradeHold.Code.SHARED);
        assertThat(first.token()).isGreaterThan(token);
        assertThat(first.leftNanos()).isPositive();
        assertThat(lock.field("rs")).isEqualTo(sum(1, "w", "w"));
        assertThat(lock.downgrade("w").token()).isEqualTo(first.token());
        assertThat(reads("b").token()).isEqualTo(first.token());
        lock.release("w");
        assertThat(lock.downgrade("w").code()).isEqualTo(DowngradeHold.Code.GONE);
        assertBusy(lock.acquire("x"));
        lock.release("b");
    }

    @Test
    void aWriterWithReservedTokensBecomesAReaderAboveThem() {
        Answer writer = lock.acquire("w").reserving(50).now();
        assertThat(lock.downgrade("w").token()).isGreaterThan(writer.lastToken());
        assertThat(lock.fields()).doesNotContainKey("tok");
    }

    /** The readers of a client that came in under the hold of its writer, and all that read beside them. */
    private long letIn() {
        Answer writer = lock.acquire("w").reserving(50).now();
        long given = writer.token() + 1;
        DowngradeHold.Answer shared = lock.downgrade("w", writer.lastToken(), given);
        assertThat(shared.code()).isEqualTo(DowngradeHold.Code.SHARED);
        assertThat(shared.token()).isEqualTo(given);
        assertThat(lock.fields()).containsEntry("tok", Long.toString(given));
        assertThat(Long.parseLong(lock.field("last"))).isGreaterThan(writer.lastToken());
        return given;
    }

    @Test
    void readersThatTheirClientLetInShareTheirTokenWithAllThatCome() {
        long given = letIn();
        assertThat(lock.downgrade("w", 0, given).token()).as("a repeat").isEqualTo(given);
        Answer joined = reads("b");
        assertThat(joined.token()).isEqualTo(given);
        assertThat(joined.lastToken()).as("no token is reserved for it").isEqualTo(given);
        assertThat(lock.acquire("b").reading().now().token()).as("a repeat").isEqualTo(given);
        assertThat(lock.acquire("c").reading().above(given).now().token()).isEqualTo(given);
        lock.release("w");
        assertThat(reads("d").token()).isEqualTo(given);
        for (String id : new String[] {"b", "c", "d"}) {
            lock.release(id);
        }
        assertThat(lock.fields()).doesNotContainKeys("tok", "own");
        long last = Long.parseLong(lock.field("last"));
        assertThat(lock.acquire("x").now().token()).isGreaterThan(last);
    }

    @Test
    void theirTokenStaysWhenOneOfThemIsDead() {
        long given = letIn();
        reads("b");
        lock.ended("w");
        lock.put("rs", "2:" + lock.end("w") + ":" + lock.end("b") + ":" + Bench.HOUR);
        assertThat(lock.renew("b", 2 * Bench.HOUR).code()).isEqualTo(RenewHold.Code.RENEWED);
        assertThat(lock.fields()).doesNotContainKey("h:w");
        assertThat(reads("c").token()).isEqualTo(given);
    }

    @Test
    void theirTokenEndsWithThemThoughNobodyReleased() {
        long given = letIn();
        lock.ended("w");
        lock.put("rs", "1:" + lock.end("w") + ":" + lock.end("w") + ":" + Bench.HOUR);
        Answer next = reads("b");
        assertThat(next.token()).isGreaterThan(given);
        assertThat(lock.fields()).doesNotContainKey("tok").containsEntry("last", Long.toString(next.token()));
        assertThat(reads("c").token()).isEqualTo(next.token());
    }

    /** A failover lost a grant that this client has seen, and restored the readers. */
    @Test
    void aReaderThatKnowsAHigherTokenHasANewOneAndSoHaveThoseAfterIt() {
        letIn();
        long known = Long.parseLong(lock.field("last")) + 5;
        assertThat(lock.acquire("b").reading().above(known).now().token()).isGreaterThan(known);
        assertThat(lock.fields()).doesNotContainKey("tok");
        assertThat(reads("c").token()).isGreaterThan(known);
    }

    /** A copy of the writer's request that arrives late. */
    @Test
    void theirHoldIsNotContinuedAsAWritersAndItsTokenStays() {
        long given = letIn();
        Map<String, String> before = lock.fields();
        assertThat(lock.goOn("w", Bench.HOUR, 0, 9).code()).isEqualTo(ContinueHandOff.Code.GONE);
        assertThat(lock.fields()).isEqualTo(before);
        assertThat(reads("b").token()).isEqualTo(given);
    }

    /** A failover lost the reservation from which the writer and its readers have their tokens. */
    @Test
    void aDowngradeIsAboveWhatTheClientKnows() {
        long token = lock.acquire("w").now().token();
        DowngradeHold.Answer shared = lock.downgrade("w", token + 1_000_000, 0);
        assertThat(shared.token()).isGreaterThan(token + 1_000_000);
        assertThat(reads("b").token()).isEqualTo(shared.token());
    }

    @Test
    void aDowngradeThatKnowsAnImpossibleTokenIsRefused() {
        long token = lock.acquire("w").now().token();
        DowngradeHold.Answer refused = lock.downgrade("w", token + 3 * Bench.HOUR, 0);
        assertThat(refused.code()).isEqualTo(DowngradeHold.Code.CLOCK);
        assertThat(refused.token()).isEqualTo(token);
        assertThat(lock.field("own")).isEqualTo("w");
    }

    @Test
    void withoutALiveHoldThereIsNoDowngrade() {
        assertThat(lock.downgrade("w").code()).isEqualTo(DowngradeHold.Code.GONE);
        lock.acquire("w").now();
        assertThat(lock.downgrade("x").detail()).isEqualTo("taken");
        lock.ended("w");
        assertThat(lock.downgrade("w").code()).isEqualTo(DowngradeHold.Code.ENDED);
    }

    @Test
    void areAllTakenAwayByForce() {
        long token = reads("a").token();
        reads("b");
        assertThat(lock.force().code()).isEqualTo(ForceRelease.Code.FREED);
        assertThat(lock.fields()).doesNotContainKeys("rs", "own", "h:a", "h:b");
        assertThat(lock.acquire("w").now().token()).isGreaterThan(token);
    }
}
