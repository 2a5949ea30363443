package dev.leasehold.tck.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.ReleaseHold;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Finding 11: a release after more than one copy of the acquire was sent leaves {@code x:<id>} = notAfter behind,
 * and {@code xn} counts these, so that a copy that arrives late is not granted.
 */
class TombstoneIT extends BenchBase {

    private long notAfter;

    @BeforeEach
    void prepare() {
        notAfter = lock.time() + 100 * Bench.SECOND;
    }

    private AcquireHold.Code lateCopy(String id) {
        return lock.acquire(id).notAfter(notAfter).now().code();
    }

    @Test
    void aLateCopyAfterItsReleaseIsStaleAlsoWhenOthersHeldTheLockMeanwhile() {
        lock.acquire("a1").notAfter(notAfter).now();
        assertThat(lock.release("a1", notAfter).code()).isEqualTo(ReleaseHold.Code.RELEASED);
        assertThat(lock.fields()).containsOnlyKeys("v", "last", "x:a1", "xn");
        assertThat(lock.fields()).containsEntry("x:a1", Long.toString(notAfter)).containsEntry("xn", "1:" + notAfter);
        assertThat(lateCopy("a1")).isEqualTo(AcquireHold.Code.STALE);
        lock.acquire("b1").now();
        lock.release("b1");
        Map<String, Object> before = lock.everything();
        assertThat(lateCopy("a1")).isEqualTo(AcquireHold.Code.STALE);
        assertThat(lock.everything()).isEqualTo(before);
    }

    @Test
    void aReleaseThatOvertakesItsAcquireKeepsItOut() {
        lock.acquire("b1").now();
        ReleaseHold.Answer early = lock.release("a1", notAfter);
        assertThat(early.code()).isEqualTo(ReleaseHold.Code.GONE);
        lock.release("b1");
        assertThat(lateCopy("a1")).isEqualTo(AcquireHold.Code.STALE);
    }

    /** There is no key for the tombstone, and none is created: the release is repeated until TIME is past notAfter. */
    @Test
    void aReleaseThatFindsNoKeyMakesNone() {
        assertThat(lock.release("a1", notAfter).code()).isEqualTo(ReleaseHold.Code.GONE);
        assertThat(lock.expiry()).isEqualTo(-2);
    }

    @Test
    void aRepeatedReleaseCountsOnce() {
        lock.acquire("a1").now();
        lock.release("a1", notAfter);
        lock.release("a1", notAfter);
        lock.release("a1", notAfter + 5);
        assertThat(lock.fields())
                .containsEntry("xn", "1:" + (notAfter + 5))
                .containsEntry("x:a1", Long.toString(notAfter + 5));
    }

    @Test
    void aReleaseWithoutOtherCopiesLeavesNothing() {
        lock.acquire("a1").now();
        lock.release("a1", 0);
        lock.acquire("a2").now();
        lock.release("a2", lock.time() - 1);
        assertThat(lock.fields()).containsOnlyKeys("v", "last");
    }

    @Test
    void thePastOnesAreForgottenAndTheCountFollows() {
        long soon = lock.time() + 2 * Bench.SECOND;
        lock.acquire("a1").now();
        lock.release("a1", soon);
        lock.acquire("a2").now();
        lock.release("a2", notAfter);
        assertThat(lock.field("xn")).isEqualTo("2:" + notAfter);
        lock.past(soon);
        lock.acquire("b1").now();
        assertThat(lock.fields())
                .containsEntry("xn", "1:" + notAfter)
                .containsKey("x:a2")
                .doesNotContainKey("x:a1");
    }

    @Test
    void withTheLastOneTheCountGoes() {
        long soon = lock.time() + 20 * Bench.MILLI;
        lock.acquire("a1").now();
        lock.release("a1", soon);
        lock.past(soon);
        lock.acquire("b1").now();
        assertThat(lock.fields()).doesNotContainKeys("xn", "x:a1");
        lock.release("b1");
        assertThat(lock.fields()).containsOnlyKeys("v", "last");
    }

    @Test
    void aReleaseForgetsThemToo() {
        lock.acquire("b1").now();
        long soon = lock.time() + 20 * Bench.MILLI;
        lock.release("a1", soon);
        lock.past(soon);
        lock.release("b1");
        assertThat(lock.fields()).containsOnlyKeys("v", "last");
    }

    /**
     * With a short lease and a short token memory the key used to expire first, and the late copy took the lock for a
     * caller that had left.
     */
    @Test
    void theKeyOutlivesThemWhateverHappensAfter() {
        try (Bench brief = new Bench(redis, Duration.ofSeconds(1))) {
            brief.acquire("a1").now();
            brief.release("a1", notAfter);
            assertThat(brief.expiry()).as("after the release").isEqualTo(brief.expiryFor(notAfter));
            brief.acquire("b1").lasting(Bench.MILLI).now();
            assertThat(brief.expiry()).as("after another's acquire").isEqualTo(brief.expiryFor(notAfter));
            brief.acquire("b2").lasting(Bench.SECOND).now();
            brief.acquire("b2").lasting(Bench.SECOND).now();
            assertThat(brief.expiry()).as("after a repeat").isEqualTo(brief.expiryFor(notAfter));
            brief.renew("b2", 2 * Bench.SECOND);
            assertThat(brief.expiry()).as("after a renewal").isEqualTo(brief.expiryFor(notAfter));
            brief.release("b2");
            assertThat(brief.expiry()).as("after another's release").isEqualTo(brief.expiryFor(notAfter));
            brief.acquire("b3").now();
            brief.force();
            assertThat(brief.expiry()).as("after a forced release").isEqualTo(brief.expiryFor(notAfter));
            assertThat(brief.field("xn")).isEqualTo("1:" + notAfter);
        }
    }

    @Test
    void aForcedReleaseLeavesThem() {
        lock.acquire("a1").now();
        lock.release("a1", notAfter);
        lock.acquire("b1").now();
        lock.force();
        assertThat(lock.fields()).containsKeys("x:a1", "xn");
        assertThat(lateCopy("a1")).isEqualTo(AcquireHold.Code.STALE);
    }
}
