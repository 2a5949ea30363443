package dev.leasehold.internal.acquire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.ForeignKeyException;
import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.Renewal;
import dev.leasehold.WaitStrategy;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.internal.engine.EngineParts;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseState;
import dev.leasehold.internal.request.RequestFailures;
import dev.leasehold.internal.request.Step;
import dev.leasehold.internal.script.AcquireFreeScript;
import dev.leasehold.internal.script.AcquireScript;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.time.WaitLimit;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.Timer;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** One acquisition on the machine's side: validity, unknown outcomes and what they leave behind (findings 1, 2, 11, 18). */
class AcquisitionTest {

    private final EngineRig rig = new EngineRig();
    private Step.Send<?> last;

    private Acquisition begin(WaitLimit limit) {
        return begin(EngineRig.OPTIONS, limit);
    }

    private Acquisition begin(LockOptions options, WaitLimit limit) {
        return rig.acquisitions()
                .of(new AcquireRequest(EngineRig.KEY, null, options, null, false, false, false, limit, false, null));
    }

    private Step.Send<?> send(Acquisition acquisition) {
        last = (Step.Send<?>) acquisition.next();
        return last;
    }

    private static String arg(Step.Send<?> send, int i) {
        return EngineRig.call(send).args().get(i);
    }

    private static Script script(Step.Send<?> send) {
        return EngineRig.call(send).script();
    }

    /** Answers the request that was sent last. */
    private void answer(List<String> reply) {
        EngineRig.answer(last, reply);
    }

    private static TransportException silence() {
        return RequestFailures.timedOut(2_000_000_000);
    }

    @Test
    void validityIsCountedFromBeforeTheSendAndNeverFromTheReply() {
        Acquisition acquisition = begin(WaitLimit.UNLIMITED);
        send(acquisition);
        rig.time.pauseProcess(Duration.ofSeconds(12));
        answer(rig.redis.reply("granted", "30000000", "7"));
        LeaseRecord record = rig.record();
        assertThat(record.state()).isEqualTo(LeaseState.HELD);
        assertThat(record.validUntil(0) - rig.time.nanoTime()).isEqualTo(18_000_000_000L - 302_000_000L);
    }

    @Test
    void aHitOnAnEarlierCopyIsWorthWhatIsLeft() {
        Acquisition acquisition = begin(WaitLimit.UNLIMITED);
        send(acquisition);
        answer(rig.redis.reply("granted", "5000000", "7"));
        assertThat(rig.record().validUntil(0) - rig.time.nanoTime()).isEqualTo(5_000_000_000L - 52_000_000L);
    }

    @Test
    void aGrantWhoseValidityIsOverIsGivenBackAndNotAcquired() {
        rig.redis.silent("release");
        Acquisition acquisition = begin(WaitLimit.of(Duration.ofMinutes(5)));
        Step.Send<?> first = send(acquisition);
        rig.time.pauseProcess(Duration.ofSeconds(31));
        answer(rig.redis.reply("granted", "30000000", "7"));
        assertThat(rig.redis.last("release").arg(0)).isEqualTo(arg(first, 0));
        rig.time.pauseProcess(Duration.ofSeconds(1));
        assertThat(arg(send(acquisition), 0)).isNotEqualTo(arg(first, 0));
    }

    /** Of a quorum, where clients that poll every few milliseconds would meet again and again. */
    @Test
    void aTryIsNotBeforeTheShortestPauseHoweverShortTheIntervalIs() {
        LockOptions polling = LockOptions.builder()
                .waitStrategy(WaitStrategy.polling(Duration.ofMillis(5)))
                .build();
        Acquisition acquisition = begin(polling, WaitLimit.UNLIMITED);
        send(acquisition);
        acquisition.answered(busy(200_000_000));
        assertThat(acquisition.dueAt()).isEqualTo(rig.time.nanoTime() + 200_000_000);
        acquisition.answered(busy(0));
        assertThat(acquisition.dueAt()).isLessThan(rig.time.nanoTime() + 200_000_000);
    }

    private AcquireHold.Answer busy(long pauseNanos) {
        ServerTime now = new ServerTime(rig.time.serverMicros());
        return new AcquireHold.Answer(
                AcquireHold.Code.BUSY, now, 5_000_000_000L, 0, 0, "", 0, AcquireHold.FURTHER, false, pauseNanos);
    }

    @Test
    void notAfterIsTheRedisTimeAtWhichTheCallerStopsWaitingForThisAttempt() {
        rig.pass(Duration.ofSeconds(5));
        Step.Send<?> send = send(begin(WaitLimit.UNLIMITED));
        assertThat(Long.parseLong(arg(send, 2))).isEqualTo(rig.time.serverMicros() + 2_000_000);
        assertThat(send.request().timeoutNanos()).isEqualTo(2_000_000_000L);
    }

    @Test
    void anUnknownOutcomeIsRetriedUnderTheSameIdAndGivenBackWhenTheCallerLeaves() {
        Acquisition acquisition = begin(WaitLimit.of(Duration.ofSeconds(3)));
        Step.Send<?> first = send(acquisition);
        rig.time.pauseProcess(Duration.ofSeconds(2));
        acquisition.failed(silence());
        rig.time.pauseProcess(Duration.ofMillis(20));
        Step.Send<?> second = send(acquisition);
        assertThat(arg(second, 0)).isEqualTo(arg(first, 0));
        LeaseRecord record = rig.record();
        rig.time.pauseProcess(Duration.ofSeconds(1));
        acquisition.failed(silence());
        assertThat(acquisition.next()).isInstanceOf(Step.Over.class);
        Acquisition.Outcome done = acquisition.outcome();
        assertThat(done.acquired()).isNull();
        assertThat(done.failure())
                .isInstanceOfSatisfying(
                        LockUnavailableException.class,
                        e -> assertThat(e.mayBeTaken()).isTrue());
        assertThat(record.state()).isIn(LeaseState.UNKNOWN, LeaseState.RELEASED);
        assertThat(rig.redis.sent("release")).isNotEmpty();
    }

    /** Finding 11: final only when an answer shows TIME past notAfter, also if an earlier one removed the hold. */
    @Test
    void theCompensationIsRepeatedUntilRedisTimeIsPastNotAfterAlsoWhenItHasFoundTheHold() {
        Acquisition acquisition = begin(WaitLimit.UNLIMITED);
        Step.Send<?> sent = send(acquisition);
        LeaseRecord record = rig.record();
        acquisition.abandon(null);
        assertThat(rig.redis.sent("release")).hasSize(1);
        assertThat(rig.redis.last("release").arg(1)).isEqualTo(arg(sent, 2));
        assertThat(record.state()).isEqualTo(LeaseState.UNKNOWN);
        rig.pass(Duration.ofMillis(1999));
        assertThat(record.state()).isEqualTo(LeaseState.UNKNOWN);
        rig.pass(Duration.ofMillis(100));
        assertThat(rig.redis.sent("release")).hasSize(2);
        assertThat(record.state()).isEqualTo(LeaseState.RELEASED);
        rig.pass(Duration.ofMinutes(5));
        assertThat(rig.redis.sent("release")).hasSize(2);
    }

    @Test
    void theCompensationGivesUpWhenEveryHoldItIsMeantForHasEnded() {
        rig.redis.silent("release");
        Acquisition acquisition = begin(WaitLimit.UNLIMITED);
        send(acquisition);
        LeaseRecord record = rig.record();
        acquisition.abandon(null);
        rig.pass(Duration.ofSeconds(33));
        assertThat(record.state()).isEqualTo(LeaseState.UNKNOWN);
        rig.pass(Duration.ofSeconds(10));
        int sent = rig.redis.sent("release").size();
        rig.pass(Duration.ofMinutes(5));
        assertThat(rig.redis.sent("release")).hasSize(sent);
        assertThat(record.state()).isEqualTo(LeaseState.RELEASED);
    }

    @Test
    void whoeverGivesUpBeforeAnythingWasSentOrAfterAnAnswerLeavesNothingBehind() {
        begin(WaitLimit.UNLIMITED).abandon(null);
        Acquisition busy = begin(WaitLimit.UNLIMITED);
        assertThat(script(send(busy))).isEqualTo(AcquireFreeScript.SCRIPT);
        answer(rig.redis.reply("busy", "30000000"));
        assertThat(script(send(busy))).isEqualTo(AcquireScript.SCRIPT);
        answer(rig.redis.reply("busy", "30000000"));
        assertThat(busy.next()).isInstanceOf(Step.Pause.class);
        busy.abandon(null);
        Acquisition refused = begin(WaitLimit.UNLIMITED);
        send(refused);
        refused.failed(new TransportException("not connected", false, null));
        refused.abandon(null);
        assertThat(rig.redis.sent("release")).isEmpty();
        assertThat(rig.records()).isEmpty();
    }

    @Test
    void whoeverGivesUpAfterTheGrantGivesItBack() {
        Acquisition acquisition = begin(WaitLimit.UNLIMITED);
        Step.Send<?> sent = send(acquisition);
        answer(rig.redis.reply("granted", "30000000", "7"));
        acquisition.abandon(null);
        assertThat(rig.redis.last("release").arg(0)).isEqualTo(arg(sent, 0));
        assertThat(rig.records()).isEmpty();
        rig.pass(Duration.ofMinutes(5));
        assertThat(rig.redis.sent("renew")).isEmpty();
        assertThat(rig.lost).isEmpty();
    }

    /** The answer "gone" to the second one was taken for a loss, and told to the listeners. */
    @Test
    void whoeverGivesUpTwiceGivesBackOnce() {
        rig.redis.silent("release");
        Acquisition acquisition = begin(WaitLimit.UNLIMITED);
        send(acquisition);
        answer(rig.redis.reply("granted", "30000000", "7"));
        acquisition.abandon(null);
        acquisition.abandon(null);
        assertThat(rig.redis.sent("release")).hasSize(1);
    }

    @Test
    void whateverThrowsAfterTheGrantTheGrantIsGivenBack() {
        EngineRig bare = new EngineRig();
        EngineParts parts = bare.parts(bare.redis, Runnable::run, Runnable::run, true, EngineRig.limits());
        boolean[] broken = {false};
        Timer timer = new Timer() {
            @Override
            public Timeout schedule(Runnable task, long delayNanos) {
                if (broken[0]) {
                    throw new IllegalStateException("the timer is broken");
                }
                return bare.time.schedule(task, delayNanos);
            }

            @Override
            public void close() {}
        };
        Engine engine = new Engine(EngineRig.with(parts, timer, Runnable::run));
        // What is remembered of the name is swept from here on, so that only the watchdog needs the timer.
        engine.lock(EngineRig.KEY, EngineRig.OPTIONS).tryAcquire().orElseThrow().release();
        broken[0] = true;
        LockOptions longer = EngineRig.OPTIONS.toBuilder()
                .leaseTime(EngineRig.LEASE.multipliedBy(2))
                .build();
        assertThatThrownBy(() -> engine.lock(EngineRig.KEY, longer).tryAcquire())
                .hasMessage("the timer is broken");
        assertThat(bare.redis.sent("release")).hasSize(2);
        assertThat(EngineRig.records(engine)).isEmpty();
    }

    @Test
    void aReleaseAfterMoreThanOneCopyCarriesTheNotAfterOfTheCopies() {
        Acquisition acquisition = begin(WaitLimit.UNLIMITED);
        send(acquisition);
        acquisition.failed(silence());
        rig.time.pauseProcess(Duration.ofMillis(20));
        Step.Send<?> second = send(acquisition);
        answer(rig.redis.reply("granted", "30000000", "7"));
        acquisition.abandon(null);
        assertThat(rig.redis.last("release").arg(1)).isEqualTo(arg(second, 2));
    }

    @Test
    void aReleaseOverAConnectionThatMayReplayCarriesNotAfterAlways() {
        EngineRig replaying = new EngineRig(false);
        replaying.held().release();
        assertThat(replaying.redis.last("release").arg(1))
                .isEqualTo(replaying.redis.last("acquire").arg(2));
        rig.held().release();
        assertThat(rig.redis.last("release").arg(1)).isEqualTo("0");
    }

    @Test
    void aStaleAnswerIsTriedAgainAtOnceWithTheTimeItBrought() {
        long ahead = 3_600_000_000L;
        rig.redis.answers("acquire", call -> {
            rig.redis.answers(
                    "acquire",
                    repeat -> rig.redis.reply("granted", repeat.args().get(1), "7"));
            return List.of("stale", Long.toString(rig.time.serverMicros() + ahead));
        });
        rig.held();
        assertThat(rig.redis.sent("acquire")).hasSize(2);
        assertThat(Long.parseLong(rig.redis.last("acquire").arg(2)))
                .isEqualTo(rig.time.serverMicros() + ahead + 2_000_000);
    }

    @Test
    void requestsThatAreStaleForEverEndAsUnavailable() {
        rig.redis.answers("acquire", call -> rig.redis.reply("stale"));
        EngineRig brief = new EngineRig(Duration.ofMillis(50));
        brief.redis.answers("acquire", call -> {
            brief.time.pauseProcess(Duration.ofMillis(20));
            return brief.redis.reply("stale");
        });
        assertThatThrownBy(() -> brief.lock().tryAcquire()).isInstanceOf(LockUnavailableException.class);
    }

    /** An attempt that was never answered stays open, whatever the next one is told. */
    @Test
    void aRefusalAfterAnUnansweredAttemptSaysThatTheLockMayBeTaken() {
        for (String error : new String[] {"OOM full", "NOPERM no", "SOMETHING new"}) {
            Acquisition acquisition = begin(WaitLimit.UNLIMITED);
            send(acquisition);
            acquisition.failed(silence());
            rig.time.pauseProcess(Duration.ofMillis(20));
            send(acquisition);
            acquisition.failed(new RedisErrorException(error));
            assertThat(acquisition.next()).isInstanceOf(Step.Over.class);
            Acquisition.Outcome done = acquisition.outcome();
            assertThat(done.failure())
                    .as(error)
                    .isInstanceOfSatisfying(
                            LockUnavailableException.class,
                            e -> assertThat(e.mayBeTaken()).isTrue());
        }
        rig.redis.fails("acquire", new RedisErrorException("OOM full"));
        assertThatThrownBy(() -> rig.lock().tryAcquire())
                .isInstanceOfSatisfying(
                        LockUnavailableException.class,
                        e -> assertThat(e.mayBeTaken()).isFalse());
    }

    @Test
    void anEndedHoldIsTriedUnderANewId() {
        Acquisition acquisition = begin(WaitLimit.UNLIMITED);
        Step.Send<?> first = send(acquisition);
        answer(rig.redis.reply("ended"));
        rig.time.pauseProcess(Duration.ofSeconds(1));
        assertThat(arg(send(acquisition), 0)).isNotEqualTo(arg(first, 0));
    }

    /** Found by simulation: a hold of the first id was there, and its caller had been told that nothing is taken. */
    @Test
    void whoGoesOnUnderANewIdIsToldThatTheLockMayBeTakenByTheFirst() {
        for (boolean unanswered : new boolean[] {true, false}) {
            Acquisition acquisition = begin(WaitLimit.UNLIMITED);
            send(acquisition);
            if (unanswered) {
                acquisition.failed(silence());
                rig.time.pauseProcess(Duration.ofMillis(20));
                send(acquisition);
            }
            answer(rig.redis.reply("ended"));
            rig.time.pauseProcess(Duration.ofSeconds(1));
            send(acquisition);
            acquisition.failed(new RedisErrorException("OOM full"));
            assertThat(acquisition.next()).isInstanceOf(Step.Over.class);
            assertThat(acquisition.outcome().failure())
                    .isInstanceOfSatisfying(
                            LockUnavailableException.class,
                            e -> assertThat(e.mayBeTaken()).isEqualTo(unanswered));
        }
    }

    @Test
    void busyForeignAndGrantedAreNeverMerged() {
        assertThat(rig.lock().tryAcquire()).isPresent();
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "1"));
        assertThat(rig.lock().tryAcquire()).isEqualTo(Optional.empty());
        rig.redis.answers("acquire", call -> rig.redis.reply("foreign", "list"));
        assertThatThrownBy(() -> rig.lock().tryAcquire())
                .isInstanceOf(ForeignKeyException.class)
                .hasMessageContaining("'a'")
                .hasMessageContaining("list");
        rig.redis.answers("acquire", call -> rig.redis.reply("clock", "5"));
        assertThatThrownBy(() -> rig.lock().tryAcquire()).isInstanceOf(LockUnavailableException.class);
        rig.redis.answers("acquire", call -> rig.redis.reply("exhausted", "9007199254740991"));
        assertThatThrownBy(() -> rig.lock().tryAcquire())
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContaining("9007199254740991");
    }

    @Test
    void whoIsRefusedForGoodHearsOfAnEarlierTryThatGotNoAnswer() {
        for (List<String> refusal : List.of(List.of("clock", "5"), List.of("exhausted", "9007199254740991"))) {
            boolean[] first = {true};
            rig.redis.answers("acquire", call -> {
                if (first[0]) {
                    first[0] = false;
                    throw new TransportException("broken", true, null);
                }
                return rig.redis.reply(refusal.get(0), refusal.get(1));
            });
            assertThatThrownBy(() -> rig.lock().tryAcquire(Duration.ofSeconds(5)))
                    .isInstanceOfSatisfying(
                            LockUnavailableException.class,
                            refused -> assertThat(refused.mayBeTaken()).isTrue());
        }
    }

    @Test
    void anExtensionIsATargetSoThatARepeatAddsNothing() {
        Lease lease = rig.held(LockOptions.builder().renewal(Renewal.none()).build());
        int[] tries = {0};
        rig.redis.answers("renew", call -> {
            if (tries[0]++ == 0) {
                rig.time.pauseProcess(Duration.ofMillis(300));
                throw new TransportException("broken", true, null);
            }
            return rig.redis.reply("renewed", call.args().get(1));
        });
        assertThat(lease.extend(Duration.ofSeconds(60))).isTrue();
        assertThat(rig.redis.last("renew").arg(1))
                .as("less the 300 ms, and 10 between the tries")
                .isEqualTo("89690000");
        assertThat(lease.remaining()).isLessThan(Duration.ofSeconds(90));
    }

    /** Found by simulation: the copy was granted after its caller had been told no, and blocked the lock for a lease. */
    @Test
    void afterANoATransportThatMaySendTwiceGivesBackWhatAnotherCopyMayTake() {
        EngineRig twice = new EngineRig(false);
        twice.redis.answers("acquire", call -> twice.redis.reply("busy", "30000000"));
        assertThat(twice.lock().tryAcquire()).isEmpty();
        assertThat(twice.redis.last("release").arg(1))
                .as("a tombstone against the other copy")
                .isEqualTo(twice.redis.last("acquire").arg(2));
        twice.redis.answers("acquire", call -> {
            throw new RedisErrorException("OOM command not allowed when used memory > 'maxmemory'.");
        });
        assertThatThrownBy(() -> twice.lock().tryAcquire())
                .isInstanceOfSatisfying(
                        LockUnavailableException.class,
                        e -> assertThat(e.mayBeTaken()).isTrue());
        assertThat(twice.redis.sent("release")).hasSize(2);
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "30000000"));
        assertThat(rig.lock().tryAcquire()).isEmpty();
        assertThat(rig.redis.sent("release")).as("one that sends once").isEmpty();
    }
}
