package dev.leasehold.internal.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.LockOptions;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.RetentionOutcome;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.PermitKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client that takes a lock away knows which of its own leases are lost by that before the call returns. */
class ForcedReleaseTest {

    private static final LockOptions RETAINING =
            LockOptions.builder().retainFor(Duration.ofMillis(400)).build();

    private final EngineRig rig = new EngineRig();
    private final DistributedLock lock = rig.lock();

    @BeforeEach
    void frees() {
        rig.redis.answers("force_release", call -> rig.redis.reply("freed"));
        rig.redis.answers("retain", call -> {
            long first = Math.max(Long.parseLong(call.args().get(3)) + 1, rig.time.serverMicros());
            long last = rig.time.serverMicros() + Long.parseLong(call.args().get(1));
            return rig.redis.reply("going", call.args().get(1), Long.toString(first), Long.toString(last));
        });
    }

    @Test
    void theThreadThatHoldsTheLockKnows() {
        lock.lock();
        assertThat(lock.forceRelease()).isTrue();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(rig.lost).extracting(LossEvent::cause).containsExactly(LossCause.DELETED);
        assertThat(rig.records()).isEmpty();
        assertThat(rig.lost.get(0).detail()).isEqualTo("this client released the lock by force");
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void allLeasesOfTheKeyAreLostWhateverTheirKindAndNoOthers() {
        LockKey other = LockKey.of(EngineRig.PREFIX, "other");
        Lease remains = rig.engine.lock(other, EngineRig.OPTIONS).tryAcquire().orElseThrow();
        List<Lease> leases = new ArrayList<>();
        var readWrite = rig.engine.readWriteLock(EngineRig.KEY, EngineRig.OPTIONS);
        for (DistributedLock each : List.of(
                lock,
                rig.engine.fairLock(EngineRig.KEY, EngineRig.OPTIONS),
                lock.ownedBy("me"),
                readWrite.readLock(),
                readWrite.readLock(),
                rig.engine.semaphore(EngineRig.KEY, 9, EngineRig.OPTIONS).asLock())) {
            leases.add(each.tryAcquire().orElseThrow());
        }
        assertThat(lock.forceRelease(leases.get(0).fencingToken())).isTrue();
        assertThat(leases).noneMatch(Lease::isHeld);
        assertThat(remains.isHeld()).isTrue();
    }

    @Test
    void whereRedisFreedNothingNothingIsLost() {
        Lease lease = rig.held();
        for (String outcome : List.of("free", "other")) {
            rig.redis.answers("force_release", call -> rig.redis.reply(outcome));
            assertThat(lock.forceRelease(7)).isFalse();
            assertThat(lease.isHeld()).isTrue();
        }
    }

    /** Redis grants a lock again as soon as it is free, and the answer to that request may be read first. */
    @Test
    void aLeaseThatIsGrantedMeanwhileStays() {
        Lease former = rig.held();
        List<Lease> next = new ArrayList<>();
        rig.redis.answers("force_release", call -> {
            next.add(rig.held());
            return rig.redis.reply("freed");
        });
        assertThat(lock.forceRelease()).isTrue();
        assertThat(former.isHeld()).isFalse();
        assertThat(next).hasSize(1).allMatch(Lease::isHeld);
    }

    @Test
    void aRetainedHoldIsNotTakenOver() {
        DistributedLock retaining = rig.lock(RETAINING);
        retaining.tryAcquire().orElseThrow().release();
        rig.redis.sent.clear();
        assertThat(retaining.forceRelease()).isTrue();
        assertThat(rig.retentionsEnded).containsExactly(RetentionOutcome.LOST);
        Lease next = retaining.tryAcquire().orElseThrow();
        assertThat(rig.redis.sent("acquire")).hasSize(1);
        assertThat(next.isHeld()).isTrue();
    }

    @Test
    void aSemaphoreOfTheSameNameFindsARetainedHoldToo() {
        DistributedLock retaining = rig.lock(RETAINING);
        retaining.tryAcquire().orElseThrow().release();
        assertThat(rig.engine
                        .lock(PermitKey.of(EngineRig.KEY), EngineRig.OPTIONS)
                        .forceRelease())
                .isTrue();
        assertThat(rig.retentionsEnded).containsExactly(RetentionOutcome.LOST);
        rig.redis.sent.clear();
        assertThat(retaining.tryAcquire()).isPresent();
        assertThat(rig.redis.sent("acquire")).hasSize(1);
    }

    @Test
    void aLeaseThatTookOverARetainedHoldIsLost() {
        DistributedLock retaining = rig.lock(RETAINING);
        retaining.tryAcquire().orElseThrow().release();
        rig.redis.sent.clear();
        retaining.lock();
        assertThat(rig.redis.sent).isEmpty();
        assertThat(retaining.forceRelease()).isTrue();
        assertThat(retaining.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(retaining::unlock).isInstanceOf(LeaseLostException.class);
        retaining.tryAcquire().orElseThrow().release();
        assertThat(rig.redis.sent("acquire")).hasSize(1);
    }
}
