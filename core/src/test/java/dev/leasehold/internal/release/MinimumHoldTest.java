package dev.leasehold.internal.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.LockOptions;
import dev.leasehold.Renewal;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.ReleasedEvent;
import dev.leasehold.internal.acquire.AcquireRequest;
import dev.leasehold.internal.acquire.Acquisition;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.engine.ScriptedTransport;
import dev.leasehold.internal.key.PlainKey;
import dev.leasehold.internal.key.QuorumKey;
import dev.leasehold.internal.key.RedissonKey;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseState;
import dev.leasehold.internal.request.Step;
import dev.leasehold.internal.time.WaitLimit;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Released before its minimum is over, a hold stays in Redis for the rest: by one request in place of the release. */
class MinimumHoldTest {

    private static final LockOptions OPTIONS =
            LockOptions.builder().minHold(Duration.ofSeconds(10)).build();

    private final EngineRig rig = new EngineRig(Duration.ofMillis(80));

    @Test
    void anEarlyReleaseEndsTheLeaseAndKeepsTheHoldForTheRest() {
        Lease lease = rig.held(OPTIONS);
        LeaseRecord record = rig.record();
        rig.pass(Duration.ofSeconds(3));
        lease.release();
        assertThat(lease.isHeld()).isFalse();
        assertThat(record.state()).isEqualTo(LeaseState.RELEASED);
        assertThat(rig.released).extracting(ReleasedEvent::confirmed).containsExactly(true);
        assertThat(rig.redis.sent("release")).isEmpty();
        ScriptedTransport.Sent kept = rig.redis.last("resume");
        assertThat(kept.arg(0)).as("a renewal in flight does not find it").isNotEqualTo(kept.arg(1));
        assertThat(kept.arg(1)).isEqualTo(record.id().value());
        assertThat(kept.arg(3)).as("the rest, us").isEqualTo("7000000");
        int renewals = rig.redis.sent("renew_many").size();
        rig.pass(Duration.ofMinutes(1));
        assertThat(rig.redis.sent("renew_many")).hasSize(renewals);
        assertThat(rig.redis.sent("resume")).hasSize(1);
    }

    @Test
    void aReleaseAfterTheMinimumIsAsUsual() {
        Lease lease = rig.held(OPTIONS);
        rig.pass(Duration.ofSeconds(10));
        lease.release();
        assertThat(rig.redis.sent("release")).hasSize(1);
        assertThat(rig.redis.sent("resume")).isEmpty();
    }

    @Test
    void aReaderKeepsTheRestOfTheMinimumOfTheWriterThatItWas() {
        Lease writer = rig.held(OPTIONS);
        String hold = rig.record().hold().value();
        rig.redis.answers("downgrade", call -> rig.redis.reply("shared", "30000000", "8"));
        rig.pass(Duration.ofSeconds(3));
        Lease reader =
                rig.engine.readWriteLock(EngineRig.KEY, LockOptions.defaults()).downgrade(writer);
        rig.pass(Duration.ofSeconds(2));
        reader.release();
        assertThat(rig.lost).isEmpty();
        assertThat(rig.redis.sent("release")).isEmpty();
        ScriptedTransport.Sent kept = rig.redis.last("resume");
        assertThat(kept.arg(1)).isEqualTo(hold);
        assertThat(kept.arg(2)).as("the hold stays one of readers").isEqualTo("r");
        assertThat(kept.arg(3)).as("the rest, us").isEqualTo("5000000");
    }

    @Test
    void aReaderWhoseMinimumIsOverIsReleasedAsUsual() {
        Lease writer = rig.held(OPTIONS);
        rig.redis.answers("downgrade", call -> rig.redis.reply("shared", "30000000", "8"));
        rig.pass(Duration.ofSeconds(11));
        rig.engine
                .readWriteLock(EngineRig.KEY, LockOptions.defaults())
                .downgrade(writer)
                .release();
        assertThat(rig.redis.sent("release")).hasSize(1);
        assertThat(rig.redis.sent("resume")).isEmpty();
    }

    @Test
    void aDowngradeThatItsCallerGivesUpLeavesTheHoldToItsLease() {
        Lease writer = rig.held(OPTIONS);
        rig.redis.silent("downgrade");
        CompletableFuture<Lease> stage = rig.engine
                .readWriteLock(EngineRig.KEY, LockOptions.defaults())
                .downgradeAsync(writer)
                .toCompletableFuture();
        stage.cancel(false);
        rig.redis.last("downgrade").answer().complete(rig.redis.reply("shared", "30000000", "8"));
        rig.pass(Duration.ofMinutes(1));
        assertThat(writer.isHeld()).isFalse();
        assertThat(rig.redis.sent("release")).isEmpty();
        assertThat(rig.records()).isEmpty();
    }

    @Test
    void withoutAnAnswerNothingIsReleasedInTheBackground() {
        Lease lease = rig.held(OPTIONS);
        LeaseRecord record = rig.record();
        rig.redis.silent("resume");
        assertThatCode(lease::release).doesNotThrowAnyException();
        assertThat(rig.released).extracting(ReleasedEvent::confirmed).containsExactly(false);
        rig.pass(Duration.ofMinutes(1));
        assertThat(rig.redis.sent("release")).isEmpty();
        assertThat(record.state()).isEqualTo(LeaseState.RELEASED);
        assertThat(rig.lifecycle().unanswered()).isEmpty();
    }

    @Test
    void ifTheHoldIsGoneTheLeaseWasLost() {
        for (String why : List.of("taken", "free", "ended")) {
            Lease lease = rig.held(OPTIONS);
            rig.redis.answers("resume", call -> rig.redis.reply("gone", why));
            assertThatThrownBy(lease::release).isInstanceOf(LeaseLostException.class);
        }
        assertThat(rig.lost)
                .extracting(LossEvent::cause)
                .containsExactly(LossCause.TAKEN_OVER, LossCause.DELETED, LossCause.ENDED);
    }

    @Test
    void aRepeatHasTheSameIdAndIsNoLossIfTheFirstWasExecuted() {
        Lease lease = rig.held(OPTIONS);
        int[] turn = {0};
        rig.redis.judges("resume", call -> {
            if (turn[0]++ == 0) {
                throw new TransportException("broken", true, null);
            }
            return rig.redis.reply("gone", "taken");
        });
        assertThatCode(lease::release).doesNotThrowAnyException();
        assertThat(rig.redis.sent("resume"))
                .hasSize(2)
                .extracting(sent -> sent.arg(0))
                .containsOnly(rig.redis.last("resume").arg(0));
        assertThat(rig.lost).isEmpty();
    }

    @Test
    void aLeaseThatIsLostByItsDeadlineIsNotReleasedBeforeTheMinimum() {
        LockOptions whole = OPTIONS.toBuilder()
                .leaseTime(Duration.ofSeconds(10))
                .renewal(Renewal.none())
                .build();
        Lease lease = rig.held(whole);
        rig.pass(Duration.ofMillis(9950));
        assertThat(lease.isHeld()).isFalse();
        assertThat(rig.lost).extracting(LossEvent::cause).containsExactly(LossCause.EXPIRED);
        assertThat(rig.redis.sent("release")).isEmpty();
    }

    @Test
    void aLockThatIsGrantedToACallerThatHasGivenUpIsReleasedAtOnce() {
        Acquisition acquisition = rig.acquisitions()
                .of(new AcquireRequest(
                        EngineRig.KEY, null, OPTIONS, null, false, false, false, WaitLimit.UNLIMITED, false, null));
        Step.Send<?> first = (Step.Send<?>) acquisition.next();
        EngineRig.answer(first, rig.redis.reply("granted", "30000000", "7"));
        acquisition.abandon(null);
        assertThat(rig.redis.sent("release")).hasSize(1);
    }

    @Test
    void closingTheClientLeavesTheHoldToItsLease() {
        Lease lease = rig.held(OPTIONS);
        rig.engine.shutDown();
        assertThat(lease.isHeld()).isFalse();
        assertThat(rig.redis.sent("release")).isEmpty();
        assertThat(rig.engine.quiet()).isTrue();
    }

    @Test
    void soDoesClosingTheClientOfAReaderThatWasAWriter() {
        Lease writer = rig.held(OPTIONS);
        rig.redis.answers("downgrade", call -> rig.redis.reply("shared", "30000000", "8"));
        Lease reader =
                rig.engine.readWriteLock(EngineRig.KEY, LockOptions.defaults()).downgrade(writer);
        rig.engine.shutDown();
        assertThat(reader.isHeld()).isFalse();
        assertThat(rig.redis.sent("release")).isEmpty();
        assertThat(rig.engine.quiet()).isTrue();
    }

    @Test
    void kindsOfLocksWhoseHoldsCannotOutliveTheirLeasesRefuseIt() {
        assertRefused("read lock 'a'", () -> rig.engine.readWriteLock(EngineRig.KEY, OPTIONS));
        assertRefused("permit lock 'a'", () -> rig.engine.semaphore(EngineRig.KEY, 3, OPTIONS));
        assertRefused("locks 'a'", () -> rig.engine.multiLock(List.of(EngineRig.KEY), OPTIONS));
        assertRefused("quorum lock 'a'", () -> rig.engine.lock(QuorumKey.of(EngineRig.PREFIX, "a"), OPTIONS));
        assertRefused("plain lock 'a'", () -> rig.engine.lock(PlainKey.of("a"), OPTIONS));
        assertRefused("fenced Redisson lock 'a'", () -> rig.engine.lock(RedissonKey.of("a", true), OPTIONS));
        assertRefused("lock 'a' owned by", () -> rig.lock(OPTIONS).ownedBy("me"));
        assertThatCode(() -> rig.engine.fairLock(EngineRig.KEY, OPTIONS)).doesNotThrowAnyException();
    }

    private static void assertRefused(String what, Runnable asking) {
        assertThatIllegalArgumentException()
                .isThrownBy(asking::run)
                .withMessageContaining("minHold makes no sense for " + what)
                .withMessageContaining("Use options without minHold");
    }
}
