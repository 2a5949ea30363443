package dev.leasehold.internal.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.ReleasedEvent;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.engine.LogLines;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseState;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Release: idempotent, honest, and finished in the background when Redis does not answer (finding 19). */
class ReleaseTest {

    private final EngineRig rig = new EngineRig(Duration.ofMillis(80));

    private void answersInTurn(Runnable... first) {
        int[] turn = {0};
        rig.redis.answers("release", call -> {
            if (turn[0] < first.length) {
                first[turn[0]++].run();
            }
            return rig.redis.reply("gone", "taken");
        });
    }

    private static Runnable lost(boolean maybeExecuted) {
        return () -> {
            throw new TransportException("broken", maybeExecuted, null);
        };
    }

    @RegisterExtension
    final LogLines log = new LogLines("dev.leasehold.leases");

    @Test
    void oneThatRedisRefusesSaysWhatToDo() {
        Lease lease = rig.held();
        rig.redis.fails("release", new RedisErrorException("NOPERM this user has no permissions to run 'hdel'"));
        CompletionStage<Void> unused = lease.releaseAsync();
        rig.pass(Duration.ofSeconds(1));
        assertThat(log.at(Level.WARN))
                .singleElement()
                .asString()
                .contains("the release of lock 'a'", "NOPERM", "docs/operations.md, section 2");
    }

    /** The log said that no error was reported. */
    @Test
    void oneWhoseAnswersDecideNothingSaysWhy() {
        Lease lease = rig.held(
                EngineRig.OPTIONS.toBuilder().minHold(Duration.ofSeconds(10)).build());
        rig.redis.answers("resume", call -> rig.redis.reply("stale"));
        CompletionStage<Void> unused = lease.releaseAsync();
        rig.pass(Duration.ofSeconds(1));
        assertThat(log.at(Level.WARN)).singleElement().asString().contains("requests arrive later than they may");
    }

    @Test
    void isSentOnceHoweverOftenItIsCalled() {
        Lease lease = rig.held();
        lease.release();
        lease.release();
        lease.close();
        assertThat(rig.redis.sent("release")).hasSize(1);
        assertThat(rig.records()).isEmpty();
    }

    @Test
    void notYoursWithoutAnEarlierAttemptIsALoss() {
        Lease lease = rig.held();
        answersInTurn();
        assertThatThrownBy(lease::release).isInstanceOf(LeaseLostException.class);
        assertThat(rig.lost).extracting(LossEvent::cause).containsExactly(LossCause.TAKEN_OVER);
        assertThatCode(lease::release).as("told once").doesNotThrowAnyException();
    }

    @Test
    void notYoursAfterAnUnansweredAttemptThatLeftInTimeIsReleased() {
        Lease lease = rig.held();
        LeaseRecord record = rig.record();
        answersInTurn(lost(true));
        assertThatCode(lease::release).doesNotThrowAnyException();
        assertThat(record.state()).isEqualTo(LeaseState.RELEASED);
        assertThat(rig.lost).isEmpty();
    }

    @Test
    void notYoursAfterAnAttemptThatSurelyWasNotSentIsALoss() {
        Lease lease = rig.held();
        answersInTurn(lost(false));
        assertThatThrownBy(lease::release).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void anAnswerWithoutATimeIsAReleaseAndTellsNothingAboutTheClock() {
        Lease lease = rig.held();
        LeaseRecord record = rig.record();
        long before =
                rig.context().serverTimeAt(EngineRig.KEY, rig.time.nanoTime()).micros();
        rig.redis.answers("release", call -> List.of("released"));
        lease.release();
        assertThat(record.state()).isEqualTo(LeaseState.RELEASED);
        assertThat(rig.context()
                        .serverTimeAt(EngineRig.KEY, rig.time.nanoTime())
                        .micros())
                .isEqualTo(before);
    }

    @Test
    void anEndedHoldIsALoss() {
        Lease lease = rig.held();
        rig.redis.answers("release", call -> rig.redis.reply("ended"));
        assertThatThrownBy(lease::release).isInstanceOf(LeaseLostException.class);
        assertThat(rig.lost).extracting(LossEvent::cause).containsExactly(LossCause.ENDED);
    }

    @Test
    void withoutAnAnswerTheCallerLeavesAndTheBackgroundGoesOn() {
        Lease lease = rig.held();
        LeaseRecord record = rig.record();
        rig.redis.silent("release");
        assertThatCode(lease::release).doesNotThrowAnyException();
        assertThat(record.state()).isEqualTo(LeaseState.RELEASING);
        assertThat(rig.redis.last("release").batched()).isTrue();
        rig.redis.answers("release", call -> rig.redis.reply("gone", "taken"));
        rig.pass(Duration.ofSeconds(5));
        assertThat(record.state()).as("the first had left in time").isEqualTo(LeaseState.RELEASED);
        assertThat(rig.lost).isEmpty();
        assertThat(rig.lifecycle().unanswered()).isEmpty();
    }

    @Test
    void aLossThatIsFoundAfterTheReleaseWasToldSaysSo() {
        Lease lease = rig.held();
        rig.redis.fails("release", new TransportException("refused", false, null));
        CompletionStage<Void> unused = lease.releaseAsync();
        rig.pass(Duration.ofSeconds(3));
        assertThat(rig.released).extracting(ReleasedEvent::confirmed).containsExactly(false);
        rig.redis.answers("release", call -> rig.redis.reply("gone", "free"));
        rig.pass(Duration.ofSeconds(5));
        assertThat(rig.lost).extracting(LossEvent::afterRelease).containsExactly(true);
        assertThat(rig.released).hasSize(1);
    }

    /** An outage that outlasts the lease: nobody worked without the lock. */
    @Test
    void aHoldThatEndedAfterItsHolderHadReleasedItIsNoLoss() {
        for (String reason : List.of("free", "taken", "")) {
            String code = reason.isEmpty() ? "ended" : "gone";
            EngineRig one = new EngineRig();
            Lease lease = one.held();
            LeaseRecord record = one.record();
            one.redis.fails("release", new TransportException("refused", false, null));
            CompletionStage<Void> unused = lease.releaseAsync();
            one.pass(EngineRig.LEASE);
            one.redis.answers("release", call -> one.redis.reply(code, reason));
            one.pass(Duration.ofSeconds(5));
            assertThat(record.state()).as(code + reason).isEqualTo(LeaseState.RELEASED);
            assertThat(one.lost).as(code + reason).isEmpty();
        }
    }

    /** A process that stood still, and released without a look at its lease. */
    @Test
    void aLeaseThatWasReleasedAfterItsDeadlineIsLostIfItsHoldIsGone() {
        Lease lease = rig.held();
        rig.time.pauseProcess(EngineRig.LEASE);
        answersInTurn();
        assertThatThrownBy(lease::release).isInstanceOf(LeaseLostException.class);
        assertThat(rig.lost).hasSize(1);
    }

    @Test
    void anAnswerThatMakesNoSenseIsAsGoodAsNone() {
        Lease lease = rig.held();
        LeaseRecord record = rig.record();
        int[] garbled = {1};
        rig.redis.answers("release", call -> garbled[0]-- > 0 ? List.of("surprise") : rig.redis.reply("gone", "free"));
        assertThatCode(lease::release).doesNotThrowAnyException();
        assertThat(record.state()).isEqualTo(LeaseState.RELEASED);
    }

    /** The transport used to be closed under a release that another thread had just sent. */
    @Test
    void aClientThatClosesWaitsForAReleaseThatIsOnItsWay() {
        Lease lease = rig.held();
        List<Boolean> quiet = new ArrayList<>();
        rig.redis.answers("release", call -> {
            rig.engine.shutDown();
            quiet.add(rig.engine.quiet());
            return rig.redis.reply("released");
        });
        lease.release();
        assertThat(quiet).containsExactly(false);
        assertThat(rig.engine.quiet()).isTrue();
    }

    @Test
    void aLostLeaseIsToldToWhoReleasesItAndNothingIsSentByHim() {
        Lease lease = rig.held();
        rig.time.pauseProcess(Duration.ofSeconds(31));
        assertThat(lease.isHeld()).isFalse();
        int sent = rig.redis.sent("release").size();
        assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class).hasMessageContaining("lock 'a'");
        assertThat(rig.redis.sent("release")).hasSize(sent);
    }

    @Test
    void aThreadThatReEnteredUnlocksAsOftenAsItLockedAndSendsOneReleaseInAll() {
        DistributedLock lock = rig.lock();
        lock.lock();
        lock.lock();
        assertThat(lock.tryLock()).isTrue();
        assertThat(rig.redis.sent("acquire")).hasSize(1);
        assertThat(lock.holdCount()).isEqualTo(3);
        lock.unlock();
        lock.unlock();
        assertThat(rig.redis.sent("release")).isEmpty();
        lock.unlock();
        assertThat(rig.redis.sent("release")).hasSize(1);
        assertThatThrownBy(lock::unlock).isExactlyInstanceOf(IllegalMonitorStateException.class);
    }

    /** Finding 25 (d). */
    @Test
    void everyUnlockOfALostHoldSaysSo() {
        DistributedLock lock = rig.lock();
        lock.lock();
        lock.lock();
        rig.time.pauseProcess(Duration.ofSeconds(31));
        lock.lock();
        assertThat(lock.holdCount()).isEqualTo(1);
        assertThat(rig.redis.sent("acquire")).hasSize(2);
        lock.unlock();
        assertThat(lock.holdCount()).isZero();
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(lock::unlock).isExactlyInstanceOf(IllegalMonitorStateException.class);
        lock.lock();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
    }

    @Test
    void theExceptionOfTheBodyStaysThePrimaryOne() {
        rig.redis.answers("release", call -> rig.redis.reply("ended"));
        assertThatThrownBy(() -> {
                    try (Lease lease = rig.held()) {
                        rig.time.pauseProcess(Duration.ofSeconds(31));
                        throw new IllegalStateException("the body of " + lease.name());
                    }
                })
                .hasMessage("the body of a")
                .satisfies(e ->
                        assertThat(List.of(e.getSuppressed())).singleElement().isInstanceOf(LeaseLostException.class));
    }
}
