package dev.leasehold.internal.renew;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.Renewal;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseState;
import dev.leasehold.internal.lease.Reachability;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Renewal, retry and loss in virtual time. A lease is 30 s, renewed after each 10 s; jitter is zero. */
class WatchdogTest {

    private final EngineRig rig = new EngineRig();

    private static Duration seconds(long seconds) {
        return Duration.ofSeconds(seconds);
    }

    @Test
    void renewsAfterItsPartOfTheLeaseAndForAsLongAsItIsHeld() {
        Lease lease = rig.held();
        rig.pass(Duration.ofMillis(9_999));
        assertThat(rig.redis.sent("renew")).isEmpty();
        rig.pass(Duration.ofMillis(1));
        assertThat(rig.redis.sent("renew")).hasSize(1);
        assertThat(rig.redis.last("renew").batched()).as("by the batch sender").isTrue();
        rig.pass(seconds(290));
        assertThat(rig.redis.sent("renew")).hasSize(30);
        assertThat(lease.isHeld()).isTrue();
        assertThat(rig.lost).isEmpty();
    }

    @Test
    void aWakeUpIsReplacedBySoonerOnesWithOneTimerForAll() {
        Lease lease = rig.held();
        rig.pass(seconds(5));
        int before = rig.time.planned();
        rig.redis.silent("renew");
        for (int n = 0; n < 10; n++) {
            rig.time.stepWall(seconds(60));
            assertThat(lease.isHeld()).isFalse();
        }
        assertThat(rig.time.planned()).isEqualTo(before + 1);
    }

    /** In addition to the wake-up for the comparison of clocks, four times a second. */
    @Test
    void aRenewalPlansOneWakeUp() {
        int[] calls = {0};
        rig.jitter = () -> calls[0]++ % 2 == 0 ? 0.2 : 0.9;
        Lease lease = rig.held();
        // Until the token that was seen is forgotten.
        rig.pass(seconds(120));
        long before = rig.time.everScheduled();
        int renewals = rig.redis.sent("renew").size();
        rig.pass(seconds(300));
        long wakeUps = rig.time.everScheduled() - before - 4 * 300;
        int renewed = rig.redis.sent("renew").size() - renewals;
        assertThat(renewed).isBetween(29, 35);
        // The wake-up of the lease, the tick in which the renewal is collected, and the timeout of the request.
        assertThat(wakeUps).isBetween(renewed * 3L - 3, renewed * 3L + 3);
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void aReleasedLeaseIsNotRenewed() {
        rig.held().release();
        rig.pass(seconds(100));
        assertThat(rig.redis.sent("renew")).isEmpty();
    }

    /** Renewals are due at multiples of a 96th of the lease: four of them within a second, and one more within the jitter. */
    @Test
    void leasesThatAreDueTogetherShareATimer() {
        int before = rig.time.planned();
        for (int n = 0; n < 1000; n++) {
            rig.held().release();
            rig.pass(Duration.ofMillis(1));
        }
        // And the sweep of the tokens that were seen.
        assertThat(rig.time.planned() - before).isBetween(2, 6);
        rig.pass(seconds(10));
        assertThat(rig.time.planned()).isEqualTo(before + 1);
    }

    @Test
    void anUnansweredRenewalIsTriedAgainUntilTheDeadlineAndThenTheLeaseIsLost() {
        Lease lease = rig.held();
        rig.redis.silent("renew");
        rig.pass(seconds(29));
        assertThat(rig.redis.sent("renew")).hasSizeGreaterThan(5);
        assertThat(lease.isHeld()).as("unconfirmed, but before its deadline").isTrue();
        assertThat(rig.record().state()).isEqualTo(LeaseState.UNCONFIRMED);
        rig.pass(seconds(1));
        assertThat(lease.isHeld()).isFalse();
        assertThat(rig.lost).extracting(LossEvent::cause).containsExactly(LossCause.UNCONFIRMED);
        int sent = rig.redis.sent("renew").size();
        rig.pass(seconds(60));
        assertThat(rig.redis.sent("renew")).as("never taken again").hasSize(sent);
        assertThat(rig.lost).hasSize(1);
    }

    @Test
    void everyErrorExceptAMissingHoldIsRetried() {
        for (RuntimeException failure : List.of(
                new RedisErrorException("OOM full"),
                new RedisErrorException("NOPERM no"),
                new RedisErrorException("SOMETHING new"),
                new TransportException("down", false, null),
                new IllegalStateException("odd"))) {
            EngineRig one = new EngineRig();
            Lease lease = one.held();
            one.redis.fails("renew", failure);
            one.pass(seconds(25));
            assertThat(one.redis.sent("renew")).as(failure.toString()).hasSizeGreaterThan(5);
            one.redis.answers("renew", call -> one.redis.reply("renewed", "30000000"));
            one.pass(seconds(30));
            assertThat(lease.isHeld()).as(failure.toString()).isTrue();
        }
    }

    /** "Tried again until the deadline" holds for an answer that makes no sense, too. */
    @Test
    void anUnreadableAnswerIsRetried() {
        Lease lease = rig.held();
        rig.redis.answers("renew", call -> List.of("surprise"));
        rig.pass(seconds(12));
        assertThat(rig.redis.sent("renew")).hasSizeGreaterThan(1);
        rig.redis.answers("renew", call -> rig.redis.reply("renewed", "30000000"));
        rig.pass(seconds(30));
        assertThat(lease.isHeld()).isTrue();
        assertThat(rig.lost).isEmpty();
    }

    @Test
    void aMissingHoldLosesTheLeaseAtOnceWithItsCause() {
        record Case(String code, String why, LossCause cause) {}
        for (Case one : List.of(
                new Case("gone", "taken", LossCause.TAKEN_OVER),
                new Case("gone", "free", LossCause.DELETED),
                new Case("ended", "", LossCause.ENDED),
                new Case("foreign", "string", LossCause.DELETED))) {
            EngineRig each = new EngineRig();
            List<LossEvent> events = new ArrayList<>();
            Lease lease = each.held();
            lease.onLost(events::add);
            each.redis.answers("renew", call -> each.redis.reply(one.code, one.why));
            each.pass(seconds(10));
            assertThat(events).extracting(LossEvent::cause).as(one.toString()).containsExactly(one.cause);
            assertThat(lease.isHeld()).isFalse();
            each.pass(seconds(60));
            assertThat(events).hasSize(1);
        }
    }

    @Test
    void theNumberOfRenewalsIsRespected() {
        rig.held(LockOptions.builder().renewal(Renewal.whileHeld().atMost(3)).build());
        rig.pass(seconds(59));
        assertThat(rig.redis.sent("renew")).hasSize(3);
        assertThat(rig.lost).isEmpty();
        rig.pass(seconds(1));
        assertThat(rig.lost).extracting(LossEvent::cause).containsExactly(LossCause.EXPIRED);
    }

    /**
     * A failover lost an extension of 10 min. The client renewed nothing until 20 s were left, so the new primary granted the lock to
     * another client meanwhile, whose holder was beside this one for up to 10 min.
     */
    @Test
    void anExtendedLeaseIsRenewedAsBeforeWhichRestoresALostExtension() {
        Lease lease = rig.held(
                LockOptions.builder().renewal(Renewal.whileHeld().atMost(1)).build());
        assertThat(lease.extend(seconds(600))).isTrue();
        rig.pass(seconds(10));
        assertThat(rig.redis.sent("renew")).as("the extension, and a renewal").hasSize(2);
        assertThat(rig.redis.last("renew").call().args().get(1)).isEqualTo(micros(620));
        rig.pass(seconds(500));
        assertThat(rig.redis.sent("renew")).hasSize(52);
        assertThat(lease.remaining()).isBetween(seconds(100), seconds(120));
        rig.redis.answers("renew", call -> rig.redis.reply("gone", "taken"));
        rig.pass(seconds(10));
        assertThat(rig.lost).extracting(LossEvent::cause).containsExactly(LossCause.TAKEN_OVER);
    }

    private static String micros(long seconds) {
        return Long.toString(seconds * 1_000_000);
    }

    /** What repeats an extension prolongs nothing, and does not use up the renewals. */
    @Test
    void aRenewalOfAnExtendedLeaseCountsOnlyOnceItProlongsTheLease() {
        Lease lease = rig.held(
                LockOptions.builder().renewal(Renewal.whileHeld().atMost(1)).build());
        assertThat(lease.extend(seconds(60))).isTrue();
        rig.pass(seconds(99));
        assertThat(rig.lost).isEmpty();
        rig.pass(seconds(1));
        assertThat(rig.lost).extracting(LossEvent::cause).containsExactly(LossCause.EXPIRED);
    }

    @Test
    void withoutRenewalTheLeaseRunsOut() {
        rig.held(LockOptions.builder().renewal(Renewal.none()).build());
        rig.pass(seconds(30));
        assertThat(rig.redis.sent("renew")).isEmpty();
        assertThat(rig.lost).extracting(LossEvent::cause).containsExactly(LossCause.EXPIRED);
    }

    @Test
    void theMaximumHoldStopsTheRenewalAfterAnEventWithTheHoldersStack() {
        rig.held(LockOptions.builder().maxHold(seconds(45)).build());
        rig.pass(seconds(45));
        assertThat(rig.heldLong).singleElement().satisfies(event -> {
            assertThat(event.renewalStops()).isTrue();
            assertThat(event.holderStack()).isNotEmpty();
        });
        int sent = rig.redis.sent("renew").size();
        rig.pass(seconds(60));
        assertThat(rig.redis.sent("renew")).hasSize(sent);
        assertThat(rig.lost).extracting(LossEvent::cause).containsExactly(LossCause.EXPIRED);
    }

    @Test
    void aLongHoldIsReportedOnceAfterTenLeases() {
        rig.held();
        rig.pass(seconds(299));
        assertThat(rig.heldLong).isEmpty();
        rig.pass(seconds(1000));
        assertThat(rig.heldLong)
                .singleElement()
                .satisfies(event -> assertThat(event.renewalStops()).isFalse());
        assertThat(rig.lost).isEmpty();
    }

    /** The log named Unsafe.park for each holder that waits, which is no place to look. */
    @Test
    void aLongHoldIsReportedWithThePlaceInTheApplication() {
        StackTraceElement park = new StackTraceElement("jdk.internal.misc.Unsafe", "park", "Unsafe.java", -2);
        StackTraceElement get = new StackTraceElement("java.util.concurrent.FutureTask", "get", "FutureTask.java", 190);
        StackTraceElement own = new StackTraceElement("javassist.Job", "run", "Job.java", 17);
        assertThat(Watchdog.callSite(List.of(park, get, own))).isEqualTo("javassist.Job.run(Job.java:17)");
        assertThat(Watchdog.callSite(List.of(park, get))).contains("Unsafe.park");
        assertThat(Watchdog.callSite(List.of())).isEqualTo("an unknown call site");
    }

    /** Finding 13: the last renewal may have been executed, and would block the name for one more lease. */
    @Test
    void aLossByDeadlineLeavesACompensatingReleaseBehind() {
        rig.held();
        String id = rig.record().id().value();
        rig.redis.silent("renew");
        rig.pass(seconds(31));
        assertThat(rig.lost).hasSize(1);
        assertThat(rig.redis.sent("release")).singleElement().satisfies(sent -> {
            assertThat(sent.batched()).isTrue();
            assertThat(sent.arg(0)).isEqualTo(id);
        });
    }

    @Test
    void theCompensatingReleaseIsRepeatedUntilItIsAnswered() {
        rig.held();
        rig.redis.silent("renew");
        rig.redis.silent("release");
        rig.pass(seconds(40));
        assertThat(rig.redis.sent("release")).hasSizeGreaterThan(2);
        rig.redis.last("release").answer().complete(rig.redis.reply("released"));
        rig.redis.answers("release", call -> rig.redis.reply("gone", "free"));
        int sent = rig.redis.sent("release").size();
        rig.pass(seconds(200));
        assertThat(rig.redis.sent("release").size() - sent).isLessThan(2);
    }

    @Test
    void aLateConfirmationAfterTheLossRevivesNothing() {
        Lease lease = rig.held();
        rig.redis.silent("renew");
        rig.pass(seconds(31));
        rig.redis.sent("renew").forEach(sent -> sent.answer().complete(rig.redis.reply("renewed", "30000000")));
        rig.pass(seconds(1));
        assertThat(lease.isHeld()).isFalse();
        assertThat(rig.lost).hasSize(1);
        assertThat(rig.redis.sent("release")).isNotEmpty();
    }

    @Test
    void aLateAnswerAfterTheReleaseHasNoEffect() {
        for (String code : List.of("renewed", "gone", "ended")) {
            EngineRig one = new EngineRig();
            Lease lease = one.held();
            one.redis.silent("renew");
            one.pass(seconds(11));
            LeaseRecord record = one.record();
            lease.release();
            one.redis.last("renew").answer().complete(one.redis.reply(code, "30000000"));
            one.pass(seconds(100));
            assertThat(record.state()).as(code).isEqualTo(LeaseState.RELEASED);
            assertThat(one.lost).as(code).isEmpty();
        }
    }

    /** Though renewals are not answered, or no renewal has come since. */
    @Test
    void aLeakedLeaseIsLostForThat() {
        for (boolean paused : List.of(true, false)) {
            EngineRig one = new EngineRig();
            Lease unused = one.held();
            one.redis.silent("renew");
            one.pass(seconds(29));
            one.record().watch(new Dropped());
            if (paused) {
                one.time.pauseProcess(seconds(30));
            }
            one.pass(seconds(2));
            assertThat(one.lost)
                    .extracting(LossEvent::cause)
                    .as("paused: " + paused)
                    .containsExactly(LossCause.ABANDONED);
        }
    }

    /** Whichever of its threads runs first when it goes on. */
    @Test
    void aPausedProcessHearsTheSameOfALateAnswerAndOfItsTimer() {
        for (String reason : List.of("free", "taken")) {
            EngineRig one = new EngineRig();
            Lease lease = one.held();
            one.redis.silent("renew");
            one.pass(seconds(11));
            one.time.pauseProcess(seconds(30));
            one.redis.last("renew").answer().complete(one.redis.reply("gone", reason));
            one.pass(Duration.ZERO);
            assertThat(lease.isHeld()).isFalse();
            assertThat(one.lost).extracting(LossEvent::cause).as(reason).containsExactly(LossCause.UNCONFIRMED);
        }
    }

    /** Found by simulation: the answer to a caller that had left was dropped, and the loss was heard of by the next renewal. */
    @Test
    void aLateAnswerToAnExtensionCounts() {
        for (String code : List.of("renewed", "gone")) {
            EngineRig one = new EngineRig();
            Lease lease = one.held();
            one.redis.silent("renew");
            CompletionStage<Boolean> extension = lease.extendAsync(seconds(60));
            one.pass(seconds(3));
            assertThat(extension.toCompletableFuture()).as(code).isCompletedExceptionally();
            one.redis.last("renew").answer().complete(one.redis.reply(code, "90000000"));
            one.pass(Duration.ZERO);
            assertThat(lease.isHeld()).as(code).isEqualTo(code.equals("renewed"));
            assertThat(one.lost).as(code).hasSize(code.equals("gone") ? 1 : 0);
            assertThat(lease.remaining())
                    .as(code)
                    .matches(left -> code.equals("gone") || left.compareTo(seconds(60)) > 0);
        }
    }

    /** A process that was paused beyond its deadline finds out before it sends anything. */
    @Test
    void aPausedProcessDeclaresTheLossBeforeItSends() {
        Lease lease = rig.held();
        rig.time.pauseProcess(seconds(31));
        rig.pass(Duration.ZERO);
        assertThat(rig.redis.sent("renew")).isEmpty();
        assertThat(rig.lost).hasSize(1);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void aCheckByTheHolderFindsTheDeadlinePassedWithoutTheTimer() {
        Lease lease = rig.held();
        rig.time.pauseProcess(seconds(31));
        assertThat(lease.isHeld()).isFalse();
        assertThat(rig.lost).hasSize(1);
    }

    private static final class Dropped implements Reachability {

        @Override
        public boolean reachable() {
            return false;
        }

        @Override
        public String acquiredAt() {
            return "here";
        }
    }
}
