package dev.leasehold.internal.renew;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.LockOptions;
import dev.leasehold.Renewal;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.lease.LeaseState;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Finding 17: a wall clock that runs ahead makes leases suspect; only Redis, or silence, makes them lost. */
class SuspicionTest {

    private final EngineRig rig = new EngineRig();

    @Test
    void aStepAloneNeverLosesALease() {
        for (Duration step : new Duration[] {Duration.ofSeconds(1), Duration.ofMinutes(1), Duration.ofHours(1)}) {
            EngineRig one = new EngineRig();
            Lease lease = one.held();
            one.pass(Duration.ofSeconds(1));
            one.time.stepWall(step);
            one.pass(Duration.ofSeconds(1));
            assertThat(one.redis.sent("renew")).as("one request").hasSize(1);
            assertThat(lease.isHeld()).as(step.toString()).isTrue();
            one.pass(Duration.ofMinutes(5));
            assertThat(lease.isHeld()).isTrue();
            assertThat(one.lost).isEmpty();
        }
    }

    @Test
    void aBackwardStepChangesNothing() {
        Lease lease = rig.held();
        rig.time.stepWall(Duration.ofHours(-1));
        rig.pass(Duration.ofSeconds(5));
        assertThat(rig.redis.sent("renew")).isEmpty();
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void aSuspectLeaseIsNotValidUntilRedisHasConfirmedIt() {
        Lease lease = rig.held();
        rig.redis.silent("renew");
        rig.time.stepWall(Duration.ofMinutes(1));
        assertThat(lease.isHeld()).isFalse();
        assertThat(rig.record().state()).isEqualTo(LeaseState.SUSPECT);
        rig.pass(Duration.ofMillis(1));
        assertThat(rig.redis.sent("renew")).as("an immediate request").hasSize(1);
        rig.redis.last("renew").answer().complete(rig.redis.reply("renewed", "30000000"));
        assertThat(lease.isHeld()).isTrue();
        assertThat(rig.record().state()).isEqualTo(LeaseState.HELD);
    }

    @Test
    void aStepThatIsMuchShorterThanTheLeaseMakesItSuspectAsWell() {
        Lease lease = rig.held();
        rig.redis.silent("renew");
        rig.time.stepWall(Duration.ofSeconds(1));
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.remaining()).isZero();
    }

    @Test
    void aSuspectLeaseWithoutAnAnswerIsLostAfterOneCommandTimeout() {
        Lease lease = rig.held();
        rig.redis.silent("renew");
        rig.time.stepWall(Duration.ofMinutes(1));
        assertThat(lease.isHeld()).isFalse();
        rig.pass(Duration.ofMillis(1999));
        assertThat(rig.lost).isEmpty();
        rig.pass(Duration.ofMillis(1));
        assertThat(rig.lost).extracting(LossEvent::cause).containsExactly(LossCause.UNCONFIRMED);
    }

    @Test
    void aSuspectLeaseThatRedisDisownsIsLostAtOnce() {
        rig.held();
        rig.redis.answers("renew", call -> rig.redis.reply("gone", "taken"));
        rig.time.stepWall(Duration.ofMinutes(1));
        rig.pass(Duration.ofSeconds(1));
        assertThat(rig.lost).extracting(LossEvent::cause).containsExactly(LossCause.TAKEN_OVER);
    }

    @Test
    void aLeaseWithoutRenewalIsConfirmedAndNotExtended() {
        Lease lease = rig.held(LockOptions.builder().renewal(Renewal.none()).build());
        rig.redis.answers("renew", call -> rig.redis.reply("renewed", "25000000"));
        rig.pass(Duration.ofSeconds(5));
        rig.time.stepWall(Duration.ofMinutes(1));
        rig.pass(Duration.ofSeconds(1));
        assertThat(rig.redis.last("renew").arg(1)).as("a mere confirmation").isEqualTo("0");
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.remaining()).isLessThan(Duration.ofSeconds(25));
        rig.pass(Duration.ofSeconds(24));
        assertThat(rig.lost).hasSize(1);
    }

    @Test
    void ensureHeldConfirmsASuspectLeaseWithRedis() {
        Lease lease = rig.held();
        rig.redis.answers("renew", call -> rig.redis.reply("renewed", "30000000"));
        rig.time.stepWall(Duration.ofMinutes(1));
        lease.ensureHeld();
        assertThat(rig.redis.last("renew").batched()).isFalse();
        rig.time.stepWall(Duration.ofMinutes(1));
        rig.redis.answers("renew", call -> rig.redis.reply("ended"));
        assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeaseLostException.class);
        assertThat(rig.lost).hasSize(1);
    }

    /** A renewal of 30 s says nothing about the 10 minutes: the lease stayed suspect, and requests never stopped. */
    @Test
    void anExtendedLeaseIsConfirmedByOneRequest() {
        Lease lease = rig.held();
        assertThat(lease.extend(Duration.ofMinutes(10))).isTrue();
        long end = rig.time.serverMicros() + 630_000_000L;
        rig.redis.answers("renew", call -> rig.redis.reply("renewed", Long.toString(end - rig.time.serverMicros())));
        rig.pass(Duration.ofSeconds(1));
        int before = rig.redis.sent("renew").size();
        rig.time.stepWall(Duration.ofSeconds(1));
        rig.context().checkClocks();
        // One tick is enough: the endless loop would never let this moment pass.
        for (int i = 0; i < 10 && rig.record().state() == LeaseState.SUSPECT; i++) {
            rig.pass(Duration.ofNanos(1));
            assertThat(rig.redis.sent("renew").size() - before).isLessThan(5);
        }
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.remaining()).isGreaterThan(Duration.ofMinutes(9));
    }

    /** Suspended for 18 s of 30 s: 12 s are left. */
    @Test
    void anExtensionAddsToWhatIsLeft() {
        Lease lease = rig.held();
        rig.time.stepWall(Duration.ofSeconds(18));
        rig.redis.silent("renew_many");
        lease.extend(Duration.ofSeconds(60));
        assertThat(Long.parseLong(rig.redis.last("renew").arg(1))).isLessThanOrEqualTo(73_000_000);
    }
}
