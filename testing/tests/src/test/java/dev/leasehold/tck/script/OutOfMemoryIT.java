package dev.leasehold.tck.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.ForceRelease;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.RenewHold;
import dev.leasehold.internal.store.RequestRelease;
import dev.leasehold.internal.store.ResumeHold;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Finding 10: a full Redis takes no new locks, but every lease that is held can be renewed and released. */
class OutOfMemoryIT extends BenchBase {

    @BeforeEach
    void prepare() {
        for (int i = 0; i < 40; i++) {
            lock.command("SET", "filler:" + i, "x".repeat(100_000));
        }
    }

    private void fill() {
        redis.command("CONFIG", "SET", "maxmemory", "3mb");
        assertThatThrownBy(() -> lock.command("SET", "more", "x")).hasMessageStartingWith("OOM");
    }

    private void assertRefused(Bench.Entry entry) {
        Map<String, Object> before = lock.everything();
        assertThatThrownBy(entry::now).isInstanceOf(Wire.ErrorReply.class).hasMessageStartingWith("OOM");
        assertThat(lock.everything()).as("no partial state").isEqualTo(before);
    }

    @Test
    void aFreeLockIsRefusedAndNoKeyIsMade() {
        fill();
        assertRefused(lock.acquire("a1"));
        assertThat(lock.expiry()).isEqualTo(-2);
    }

    @Test
    void aLockThatWasReleasedIsRefusedAndKeepsItsToken() {
        lock.acquire("a1").now();
        lock.release("a1");
        fill();
        assertRefused(lock.acquire("b1"));
    }

    @Test
    void aLockWhoseHolderIsGoneIsRefusedAsAWhole() {
        long now = lock.acquire("a1").lasting(Bench.MILLI).now().now().micros();
        lock.past(now + Bench.MILLI);
        fill();
        assertRefused(lock.acquire("b1"));
    }

    @Test
    void aLockWithTombstonesOfThePastIsRefusedAsAWhole() {
        long soon = lock.time() + 20 * Bench.MILLI;
        lock.acquire("a1").now();
        lock.release("a1", soon);
        lock.past(soon);
        fill();
        assertRefused(lock.acquire("b1"));
    }

    @Test
    void aReentrantAcquireIsRefusedAndTheExistingHoldStays() {
        lock.acquire("p1").as("job").now();
        fill();
        assertRefused(lock.acquire("p2").as("job"));
    }

    @Test
    void aWaiterKeepsThePositionThatItHas() {
        lock.acquire("a1").now();
        long position = lock.acquire("b1").waiting("B", 0).now().position();
        fill();
        assertThat(lock.acquire("b1").waiting("B", position).now().position()).isEqualTo(position);
        assertThat(lock.field("wn")).isEqualTo("1");
    }

    @Test
    void aHeldLockIsStillBusyAndNotUnavailable() {
        lock.acquire("a1").now();
        fill();
        assertThat(lock.acquire("b1").now().code()).isEqualTo(AcquireHold.Code.BUSY);
    }

    @Test
    void aRepeatStillFindsItsHold() {
        lock.acquire("a1").now();
        fill();
        assertThat(lock.acquire("a1").now().code()).isEqualTo(AcquireHold.Code.GRANTED);
    }

    @Test
    void aRenewalPasses() {
        lock.acquire("a1").lasting(30 * Bench.SECOND).now();
        fill();
        RenewHold.Answer answer = lock.renew("a1", Bench.HOUR);
        assertThat(answer.code()).isEqualTo(RenewHold.Code.RENEWED);
        assertThat(lock.end("a1")).isEqualTo(answer.now().micros() + Bench.HOUR);
    }

    @Test
    void aReleasePassesAndLeavesItsTombstone() {
        lock.acquire("a1").now();
        fill();
        assertThat(lock.release("a1", lock.time() + Bench.HOUR).code()).isEqualTo(ReleaseHold.Code.RELEASED);
        assertThat(lock.fields()).containsOnlyKeys("v", "last", "x:a1", "xn");
    }

    /** A planned restart continues although Redis is full. */
    @Test
    void aResumePassesAndSoDoesARequestToRelease() {
        lock.acquire("a1").now();
        fill();
        assertThat(lock.requestRelease().code()).isEqualTo(RequestRelease.Code.REQUESTED);
        assertThat(lock.renew("a1", Bench.HOUR).code()).isEqualTo(RenewHold.Code.ASKED);
        assertThat(lock.resume("b1", "a1")
                        .burying(lock.time() + Bench.HOUR)
                        .now()
                        .code())
                .isEqualTo(ResumeHold.Code.GRANTED);
        assertThat(lock.fields()).containsKeys("h:b1", "i:b1", "l:b1", "x:a1").doesNotContainKey("h:a1");
    }

    @Test
    void namedOwnersRenewAndReleaseOneByOne() {
        lock.acquire("p1").as("job").lasting(30 * Bench.SECOND).now();
        lock.acquire("p2").as("job").lasting(30 * Bench.SECOND).now();
        fill();
        assertThat(lock.renew("p1", Bench.HOUR).code()).isEqualTo(RenewHold.Code.RENEWED);
        assertThat(lock.release("p1").code()).isEqualTo(ReleaseHold.Code.RELEASED);
        assertThat(lock.renew("p2", Bench.HOUR).code()).isEqualTo(RenewHold.Code.RENEWED);
        assertThat(lock.release("p2").code()).isEqualTo(ReleaseHold.Code.RELEASED);
        assertThat(lock.fields()).containsOnlyKeys("v", "last");
    }

    @Test
    void pastTombstonesAreForgotten() {
        long soon = lock.time() + 20 * Bench.MILLI;
        lock.acquire("a1").now();
        lock.release("b1", soon);
        lock.release("b2", soon + Bench.HOUR);
        lock.past(soon);
        fill();
        assertThat(lock.renew("a1", Bench.HOUR).code()).isEqualTo(RenewHold.Code.RENEWED);
        assertThat(lock.fields())
                .containsEntry("xn", "1:" + (soon + Bench.HOUR))
                .doesNotContainKey("x:b1");
    }

    @Test
    void anEndThatLiesTooFarAwayHeals() {
        lock.acquire("a1").lasting(2 * Bench.SECOND).now();
        lock.writtenAhead("a1", Bench.HOUR);
        fill();
        AcquireHold.Answer busy = lock.acquire("b1").now();
        assertThat(busy.code()).isEqualTo(AcquireHold.Code.BUSY);
        assertThat(lock.end("a1")).isEqualTo(busy.now().micros() + 2 * Bench.SECOND);
    }

    @Test
    void aForcedReleasePassesAndRaisesTheToken() {
        long token = lock.acquire("a1").now().token();
        fill();
        assertThat(lock.force().code()).isEqualTo(ForceRelease.Code.FREED);
        assertThat(Long.parseLong(lock.field("last"))).isGreaterThan(token);
    }
}
