package dev.leasehold.tck.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.store.ContinueHandOff;
import dev.leasehold.internal.store.DowngradeHold;
import dev.leasehold.internal.store.EntryResult;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.RenewHold;
import dev.leasehold.internal.store.RenewHolds;
import dev.leasehold.internal.store.RequestRelease;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A release request, from its creation to the end of its hold. */
class RequestReleaseScriptIT extends BenchBase {

    private static final RenewHold.Code RENEWED = RenewHold.Code.RENEWED;
    private static final RenewHold.Code ASKED = RenewHold.Code.ASKED;

    private RenewHold.Code renewed(String id) {
        return lock.renew(id, Bench.HOUR).code();
    }

    @Test
    void aFreeLockIsReportedAndNothingIsWritten() {
        assertThat(lock.requestRelease().code()).isEqualTo(RequestRelease.Code.FREE);
        assertThat(lock.expiry()).isEqualTo(-2);
        lock.acquire("a1").now();
        lock.ended("a1");
        assertThat(lock.requestRelease().code()).isEqualTo(RequestRelease.Code.FREE);
        assertThat(lock.fields()).doesNotContainKey("rq");
    }

    @Test
    void everyRenewalReportsItAndTheHoldIsStillRenewed() {
        lock.acquire("a1").lasting(Bench.SECOND).now();
        assertThat(renewed("a1")).isEqualTo(RENEWED);
        RequestRelease.Answer requested = lock.requestRelease();
        assertThat(requested.code()).isEqualTo(RequestRelease.Code.REQUESTED);
        assertThat(requested.detail()).isEqualTo("1");
        RenewHold.Answer answer = lock.renew("a1", 2 * Bench.HOUR);
        assertThat(answer.code()).isEqualTo(ASKED);
        assertThat(answer.leftNanos()).isEqualTo(2 * Bench.HOUR * 1000);
        assertThat(lock.end("a1")).isEqualTo(answer.now().micros() + 2 * Bench.HOUR);
        assertThat(renewed("a1")).isEqualTo(ASKED);
    }

    @Test
    void theNextHolderReceivesNoRequestWhateverEndedTheHold() {
        lock.acquire("a1").now();
        lock.requestRelease();
        lock.release("a1");
        lock.acquire("b1").now();
        assertThat(renewed("b1")).as("after a release").isEqualTo(RENEWED);
        lock.requestRelease();
        lock.force();
        lock.acquire("c1").now();
        assertThat(renewed("c1")).as("after a forced release").isEqualTo(RENEWED);
        lock.requestRelease();
        lock.ended("c1");
        lock.acquire("d1").now();
        assertThat(renewed("d1")).as("after its end").isEqualTo(RENEWED);
        lock.requestRelease();
        lock.resume("e1", "d1").now();
        assertThat(renewed("e1")).as("after it was resumed").isEqualTo(RENEWED);
    }

    @Test
    void aRunOfHandOffsDoesNotGoOnWithARequestedHold() {
        lock.acquire("a1").now();
        assertThat(lock.goOn("a1", Bench.HOUR, 0, 8).code()).isEqualTo(ContinueHandOff.Code.GOING);
        lock.requestRelease();
        assertThat(lock.goOn("a1", Bench.HOUR, 0, 8).code()).isEqualTo(ContinueHandOff.Code.WANTED);
        assertThat(renewed("a1")).isEqualTo(ASKED);
        lock.release("a1");
        lock.acquire("a2").now();
        assertThat(lock.goOn("a2", Bench.HOUR, 0, 8).code())
                .as("the request ended with the hold")
                .isEqualTo(ContinueHandOff.Code.GOING);
    }

    @Test
    void aReaderReceivesTheRequestToTheWriterThatItWas() {
        lock.acquire("a1").now();
        lock.requestRelease();
        lock.release("a1");
        lock.acquire("a2").now();
        assertThat(lock.downgrade("a2").code()).isEqualTo(DowngradeHold.Code.SHARED);
        assertThat(renewed("a2")).as("the request was to another hold").isEqualTo(RENEWED);
        lock.release("a2");
        lock.acquire("a3").now();
        lock.requestRelease();
        assertThat(lock.downgrade("a3").code()).isEqualTo(DowngradeHold.Code.SHARED);
        assertThat(lock.downgrade("a3").code()).as("a repeat").isEqualTo(DowngradeHold.Code.SHARED);
        assertThat(renewed("a3")).isEqualTo(ASKED);
        lock.release("a3");
        lock.acquire("a4").now();
        assertThat(renewed("a4")).isEqualTo(RENEWED);
    }

    @Test
    void allReadersReceiveTheRequestAndTheNextWriterDoesNot() {
        lock.acquire("a1").reading().now();
        lock.acquire("a2").reading().now();
        assertThat(lock.requestRelease().detail()).isEqualTo("2");
        assertThat(renewed("a1")).isEqualTo(ASKED);
        assertThat(renewed("a2")).isEqualTo(ASKED);
        lock.release("a1");
        lock.release("a2");
        lock.acquire("w").now();
        assertThat(renewed("w")).isEqualTo(RENEWED);
    }

    @Test
    void allHoldsOfANamedOwnerReceiveARequest() {
        lock.acquire("p1").as("job").now();
        lock.acquire("p2").as("job").now();
        lock.requestRelease();
        assertThat(renewed("p1")).isEqualTo(ASKED);
        assertThat(renewed("p2")).isEqualTo(ASKED);
        lock.release("p1");
        lock.release("p2");
        lock.acquire("p3").as("job").now();
        assertThat(renewed("p3")).as("the owner is the same, the hold is not").isEqualTo(RENEWED);
    }

    @Test
    void ofManyOnlyTheRequestedOneReceivesTheRequestAndAllAreRenewed() {
        try (Bench other = new Bench(redis, "b", Duration.ofSeconds(60))) {
            lock.acquire("a1").now();
            other.acquire("b1").now();
            lock.requestRelease();
            List<RenewHolds.Entry> entries = List.of(
                    new RenewHolds.Entry(lock.key, new AcquisitionId("a1")),
                    new RenewHolds.Entry(other.key, new AcquisitionId("b1")));
            LeaseSpan span = new LeaseSpan(2 * Bench.HOUR * 1000);
            List<RenewHold.Answer> answers = lock.send(new RenewHolds(span, entries, 1)).results().stream()
                    .map(EntryResult::orThrow)
                    .toList();
            assertThat(answers.get(0).code()).isEqualTo(ASKED);
            assertThat(answers.get(0).leftNanos()).isEqualTo(span.nanos());
            assertThat(answers.get(1).code()).isEqualTo(RENEWED);
            assertThat(answers.get(1).leftNanos()).isEqualTo(span.nanos());
            assertThat(lock.end("a1")).isEqualTo(other.end("b1"));
        }
    }

    @Test
    void theKeyLastsAsLongAsTheLongestHold() {
        lock.acquire("p1").as("job").lasting(Bench.SECOND).now();
        lock.acquire("p2").as("job").lasting(Bench.HOUR).now();
        lock.requestRelease();
        assertThat(lock.expiry()).isEqualTo(lock.expiryFor(lock.end("p2")));
    }

    @Test
    void somethingElseUnderTheKeyIsLeft() {
        lock.command("SET", lock.key.key(), "x");
        assertThat(lock.requestRelease().code()).isEqualTo(RequestRelease.Code.FOREIGN);
        redis.flush();
    }
}
