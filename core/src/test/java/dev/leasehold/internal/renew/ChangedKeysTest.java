package dev.leasehold.internal.renew;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.event.LossCause;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.engine.ScriptedTransport.Sent;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.ServerDescription.Capability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What Redis tells of changed keys, in virtual time. A lease is 30 s. */
class ChangedKeysTest {

    private static final String SCRIPT = "confirm_many";

    private final EngineRig rig = new EngineRig();
    private final Engine engine = new Engine(EngineRig.with(
            rig.parts(rig.redis, Runnable::run, Runnable::run, true, EngineRig.limits()),
            Set.of(Capability.AT_MOST_ONCE, Capability.CALLS_ACROSS_SLOTS, Capability.TRACKS_KEYS)));

    ChangedKeysTest() {
        rig.redis.answers(SCRIPT, call -> rig.redis.reply("all"));
    }

    private static LockKey key(int n) {
        return LockKey.of(EngineRig.PREFIX, "lock-" + n);
    }

    private Lease held(int n) {
        DistributedLock lock = engine.lock(key(n), EngineRig.OPTIONS);
        return lock.tryAcquire().orElseThrow();
    }

    private void pass(long millis) {
        rig.pass(Duration.ofMillis(millis));
    }

    private List<Sent> checks() {
        return rig.redis.sent(SCRIPT);
    }

    private void changed(int n) {
        Objects.requireNonNull(rig.redis.invalidations).invalidated(key(n).key());
    }

    @Test
    void aLeaseIsCheckedOnceAfterATenthOfASecondAndNotAgainWhileNothingChanges() {
        Lease lease = held(0);
        pass(99);
        assertThat(checks()).isEmpty();
        pass(20);
        assertThat(checks()).hasSize(1);
        assertThat(checks().get(0).batched()).isTrue();
        assertThat(checks().get(0).call().script().tracked()).isTrue();
        pass(60_000);
        assertThat(checks()).hasSize(1);
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void aBriefLeaseIsNeverChecked() {
        held(0).close();
        pass(60_000);
        assertThat(checks()).isEmpty();
    }

    @Test
    void leasesOfOneMomentShareACall() {
        for (int n = 0; n < 50; n++) {
            held(n);
        }
        pass(200);
        assertThat(checks()).hasSize(1);
        assertThat(checks().get(0).call().keys()).hasSize(50);
    }

    @Test
    void aChangeThatTookTheHoldAwayIsReportedWithinMilliseconds() {
        Lease lease = held(0);
        pass(1_000);
        rig.redis.answers(SCRIPT, call -> rig.redis.each(call, n -> List.of("gone", "free")));
        changed(0);
        pass(10);
        assertThat(lease.isHeld()).isFalse();
        assertThat(rig.lost)
                .singleElement()
                .satisfies(loss -> assertThat(loss.cause()).isEqualTo(LossCause.DELETED));
    }

    @Test
    void anotherChangeIsCheckedAfterTheRest() {
        Lease lease = held(0);
        pass(1_000);
        int before = checks().size();
        for (int n = 0; n < 30; n++) {
            changed(0);
            pass(1);
        }
        assertThat(checks()).hasSize(before + 1);
        rig.redis.answers(SCRIPT, call -> rig.redis.each(call, n -> List.of("gone", "taken")));
        pass(120);
        assertThat(checks()).hasSize(before + 2);
        assertThat(lease.isHeld()).isFalse();
        assertThat(rig.lost.get(0).cause()).isEqualTo(LossCause.TAKEN_OVER);
    }

    @Test
    void aCheckThatFindsTheHoldChangesNothing() {
        Lease lease = held(0);
        pass(1_000);
        Duration remaining = lease.remaining();
        changed(0);
        pass(10);
        assertThat(lease.remaining()).isEqualTo(remaining.minusMillis(10));
        assertThat(rig.renewed).isEmpty();
    }

    @Test
    void aRequestToReleaseIsPassedOn() {
        held(0);
        pass(1_000);
        rig.redis.answers(SCRIPT, call -> rig.redis.each(call, n -> List.of("asked", "0")));
        changed(0);
        pass(10);
        assertThat(rig.requested).hasSize(1);
        assertThat(rig.lost).isEmpty();
    }

    @Test
    void aCheckWithoutAnAnswerCostsNothing() {
        Lease lease = held(0);
        pass(1_000);
        rig.redis.fails(SCRIPT, new RedisErrorException("BUSY Redis is busy running a script"));
        changed(0);
        pass(200);
        assertThat(lease.isHeld()).isTrue();
        assertThat(rig.lost).isEmpty();
    }

    @Test
    void keysOfNoLeaseAndReleasedOnesAreNotChecked() {
        Lease lease = held(0);
        pass(1_000);
        lease.close();
        int before = checks().size();
        changed(0);
        changed(1);
        pass(1_000);
        assertThat(checks()).hasSize(before);
    }

    /** A new connection, or FLUSHALL: a thousand in each step of 5 ms, in calls of a hundred. */
    @Test
    void aChangeOfAllIsSpreadOverAShortTime() {
        List<Lease> leases = new ArrayList<>();
        for (int n = 0; n < 3_000; n++) {
            leases.add(held(n));
        }
        pass(1_000);
        int before = checks().size();
        Objects.requireNonNull(rig.redis.invalidations).allInvalidated();
        pass(4);
        assertThat(checks()).hasSize(before + 10);
        pass(20);
        assertThat(checks()).hasSize(before + 30);
        assertThat(leases).allMatch(Lease::isHeld);
        pass(1_000);
        assertThat(checks()).hasSize(before + 30);
    }

    @Test
    void withoutTrackingNothingIsChecked() {
        EngineRig without = new EngineRig();
        Lease lease = without.held();
        without.pass(Duration.ofMinutes(1));
        assertThat(without.redis.sent(SCRIPT)).isEmpty();
        assertThat(without.redis.invalidations).isNull();
        assertThat(lease.isHeld()).isTrue();
    }
}
