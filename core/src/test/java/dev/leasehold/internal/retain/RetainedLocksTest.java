package dev.leasehold.internal.retain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.RetentionOutcome;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.engine.ScriptedTransport;
import dev.leasehold.internal.key.QuorumKey;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A hold that stays after its release: who takes it over without a request, how long it lasts, and what ends it. */
class RetainedLocksTest {

    private static final Duration RETAIN = Duration.ofMillis(400);
    private static final LockOptions OPTIONS =
            LockOptions.builder().retainFor(RETAIN).build();

    private final EngineRig rig = new EngineRig();
    private final DistributedLock lock = rig.lock(OPTIONS);
    private long lastToken;

    @BeforeEach
    void retains() {
        rig.redis.answers("retain", call -> {
            long first = Math.max(Long.parseLong(call.args().get(3)) + 1, rig.time.serverMicros());
            lastToken = rig.time.serverMicros() + Long.parseLong(call.args().get(1));
            return rig.redis.reply("going", call.args().get(1), Long.toString(first), Long.toString(lastToken));
        });
    }

    /** Released once, and retained since. */
    private Lease retained() {
        Lease first = lock.tryAcquire().orElseThrow();
        first.release();
        assertThat(rig.redis.sent("retain")).hasSize(1);
        assertThat(rig.redis.sent("release")).isEmpty();
        rig.redis.sent.clear();
        return first;
    }

    private void message(String text) {
        rig.redis.listeners.get(0).message(text);
    }

    private void asked() {
        message("release leasehold:{a}");
    }

    @Test
    void aReleaseIsAQuestionToRetainTheHoldUnderItsLastToken() {
        Lease first = lock.tryAcquire().orElseThrow();
        long token = first.fencingToken();
        first.release();
        ScriptedTransport.Sent question = rig.redis.last("retain");
        assertThat(question.call().args())
                .containsExactly("acquisition-1", "400000", "60000", Long.toString(token), "leasehold:w:client-1", "0");
        assertThat(rig.released).hasSize(1);
        assertThat(rig.released.get(0).confirmed()).isTrue();
        assertThat(first.isHeld()).isFalse();
        assertThat(rig.records()).isEmpty();
    }

    @Test
    void theNextAcquisitionTakesTheHoldOverWithoutARequestAndWithAHigherToken() {
        long token = retained().fencingToken();
        for (int i = 0; i < 5; i++) {
            Lease next = lock.tryAcquire().orElseThrow();
            assertThat(next.fencingToken()).isGreaterThan(token);
            token = next.fencingToken();
            assertThat(next.isHeld()).isTrue();
            assertThat(next.remaining()).isPositive().isLessThanOrEqualTo(RETAIN);
            next.release();
            assertThat(next.isHeld()).isFalse();
        }
        lock.lock();
        assertThat(lock.leaseOfCurrentThread().orElseThrow().fencingToken()).isGreaterThan(token);
        lock.unlock();
        assertThat(lock.acquireAsync().toCompletableFuture().join().isHeld()).isTrue();
        assertThat(rig.redis.sent).isEmpty();
        assertThat(rig.acquired).hasSize(8);
        assertThat(rig.acquired.get(7).handedOff()).isTrue();
        assertThat(rig.released).hasSize(7);
    }

    @Test
    void eachRetentionIsReportedOnceAndSoIsItsEnd() {
        retained();
        assertThat(rig.idle).isOne();
        Lease user = lock.tryAcquire().orElseThrow();
        assertThat(rig.idle).isZero();
        user.release();
        assertThat(rig.idle).isOne();
        asked();
        assertThat(rig.idle).isZero();
        rig.pass(Duration.ofMillis(1001));
        lock.tryAcquire().orElseThrow().release();
        Lease other = rig.lock(LockOptions.defaults()).tryAcquire().orElseThrow();
        assertThat(rig.idle).isZero();
        other.release();
        assertThat(rig.retentionsEnded)
                .containsExactly(RetentionOutcome.REUSED, RetentionOutcome.RELEASED, RetentionOutcome.RELEASED);
    }

    @Test
    void oneLeaseAtATimeUsesTheHold() {
        retained();
        Lease user = lock.tryAcquire().orElseThrow();
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "300000"));
        assertThat(lock.tryAcquire()).isEmpty();
        assertThat(user.isHeld()).isTrue();
    }

    @Test
    void nothingIsRetainedBeforeWakeUpsAreReceived() {
        rig.redis.subscribed = new CompletableFuture<>();
        lock.tryAcquire().orElseThrow().release();
        assertThat(rig.redis.channels).containsExactly("leasehold:w:client-1");
        assertThat(rig.redis.sent("retain")).isEmpty();
        assertThat(rig.redis.sent("release")).hasSize(1);
    }

    @Test
    void anIdleHoldIsReleasedAtOnceWhenAnotherClientAsks() {
        retained();
        asked();
        assertThat(rig.redis.sent("release")).hasSize(1);
        assertThat(rig.redis.last("release").arg(0)).isEqualTo("acquisition-1");
        rig.redis.sent.clear();
        lock.tryAcquire().orElseThrow().release();
        assertThat(rig.redis.sent("acquire")).hasSize(1);
        // For a second nothing is retained: it would cost a request more.
        assertThat(rig.redis.sent("retain")).isEmpty();
        rig.pass(Duration.ofMillis(1001));
        lock.tryAcquire().orElseThrow().release();
        assertThat(rig.redis.sent("retain")).hasSize(1);
    }

    @Test
    void aHoldInUseIsReleasedAfterItsUseWhenAnotherClientAsks() {
        retained();
        Lease user = lock.tryAcquire().orElseThrow();
        asked();
        assertThat(rig.redis.sent).isEmpty();
        assertThat(user.isHeld()).isTrue();
        user.release();
        assertThat(rig.redis.sent("release")).hasSize(1);
        assertThat(rig.redis.sent("retain")).isEmpty();
    }

    @Test
    void aMessageThatOvertakesTheAnswerCounts() {
        Lease first = lock.tryAcquire().orElseThrow();
        rig.redis.answers("retain", call -> {
            asked();
            long now = rig.time.serverMicros();
            return rig.redis.reply("going", "400000", Long.toString(now), Long.toString(now + 400_000));
        });
        first.release();
        assertThat(rig.redis.sent("release")).hasSize(1);
        assertThat(rig.lost).isEmpty();
    }

    @Test
    void somebodyElseWaits() {
        rig.redis.answers("retain", call -> rig.redis.reply("wanted"));
        lock.tryAcquire().orElseThrow().release();
        assertThat(rig.redis.sent("release")).hasSize(1);
        assertThat(rig.released).hasSize(1);
        lock.tryAcquire().orElseThrow().release();
        assertThat(rig.redis.sent("retain")).hasSize(1);
    }

    @Test
    void aQuestionWithoutAnAnswerIsFollowedByARelease() {
        rig.redis.fails("retain", new TransportException("no answer", true, null));
        lock.tryAcquire().orElseThrow().release();
        rig.pass(Duration.ofMillis(100));
        assertThat(rig.redis.sent("release")).hasSize(1);
        assertThat(rig.lost).isEmpty();
        assertThat(rig.released.get(0).confirmed()).isTrue();
    }

    @Test
    void anIdleHoldIsReleasedWhenItsTimeIsOver() {
        retained();
        rig.pass(RETAIN.minusMillis(40));
        assertThat(rig.redis.sent).isEmpty();
        rig.pass(Duration.ofMillis(40));
        assertThat(rig.redis.sent("release")).hasSize(1);
        assertThat(rig.redis.sent).hasSize(1);
        assertThat(rig.lost).isEmpty();
    }

    @Test
    void aUsedHoldIsExtendedFourTimesASecondAtMostAndNotBeyondItsLastUse() {
        retained();
        long token = 0;
        for (int i = 0; i < 200; i++) {
            Lease next = lock.tryAcquire().orElseThrow();
            assertThat(next.fencingToken()).isGreaterThan(token);
            token = next.fencingToken();
            next.release();
            rig.pass(Duration.ofMillis(10));
        }
        assertThat(rig.redis.sent("acquire")).isEmpty();
        assertThat(rig.redis.sent("release")).isEmpty();
        assertThat(rig.redis.sent("retain")).hasSizeBetween(8, 10);
        assertThat(rig.redis.last("retain").arg(5)).isEqualTo("1");
        long used = rig.time.serverMicros() - 10_000;
        rig.pass(Duration.ofSeconds(2));
        ScriptedTransport.Sent last = rig.redis.last("retain");
        long sentAt = Long.parseLong(last.answer().join().get(1));
        assertThat(sentAt + Long.parseLong(last.arg(1))).isLessThanOrEqualTo(used + 400_000);
        assertThat(rig.redis.sent("release")).hasSize(1);
    }

    @Test
    void aLeaseThatIsHeldForLongerIsRenewedForItsWholeTimeAndAsksAgain() {
        retained();
        Lease user = lock.tryAcquire().orElseThrow();
        rig.pass(Duration.ofSeconds(3));
        assertThat(rig.redis.sent.stream().map(ScriptedTransport.Sent::name)).contains("renew");
        assertThat(user.isHeld()).isTrue();
        assertThat(user.remaining()).isGreaterThan(Duration.ofSeconds(20));
        assertThat(rig.lost).isEmpty();
        user.release();
        ScriptedTransport.Sent again = rig.redis.last("retain");
        assertThat(again.arg(0)).isEqualTo("acquisition-1");
        assertThat(again.arg(3)).isEqualTo(Long.toString(lastTokenBefore(again)));
        assertThat(rig.redis.sent("release")).isEmpty();
        assertThat(lock.tryAcquire().orElseThrow().fencingToken()).isGreaterThan(user.fencingToken());
    }

    private long lastTokenBefore(ScriptedTransport.Sent question) {
        assertThat(question.arg(5)).isEqualTo("0");
        return Long.parseLong(question.arg(3));
    }

    @Test
    void aLeaseIsNotValidPastTheEndOfTheRetainedHold() {
        retained();
        rig.redis.silent("retain");
        rig.redis.silent("renew");
        rig.redis.silent("renew_many");
        rig.pass(Duration.ofMillis(200));
        Lease user = lock.tryAcquire().orElseThrow();
        assertThat(user.remaining()).isLessThanOrEqualTo(Duration.ofMillis(200));
        rig.pass(Duration.ofMillis(200));
        assertThat(user.isHeld()).isFalse();
        assertThat(rig.lost).hasSize(1);
    }

    @Test
    void aLeaseWhoseHoldIsNotExtendedIsLostAtItsDeadlineThoughNoCheckIsDue() {
        retained();
        rig.pass(Duration.ofMillis(150));
        lock.tryAcquire().orElseThrow().release();
        // Extended at the check after 200 ms, to 550 ms.
        rig.pass(Duration.ofMillis(291));
        rig.redis.silent("retain");
        rig.redis.silent("renew");
        Lease user = lock.tryAcquire().orElseThrow();
        assertThat(rig.redis.sent("acquire")).isEmpty();
        rig.pass(user.remaining().plusMillis(6));
        // Nobody asks the lease whether it is held, which would find it out, too.
        assertThat(rig.lost).hasSize(1);
    }

    @Test
    void aLeaseThatTakesOverAHoldOfWhichHalfIsOverExtendsItAtOnce() {
        retained();
        rig.pass(Duration.ofMillis(250));
        assertThat(rig.redis.sent).isEmpty();
        Lease user = lock.tryAcquire().orElseThrow();
        assertThat(rig.redis.sent("retain")).hasSize(1);
        assertThat(user.remaining()).isGreaterThan(RETAIN.dividedBy(2));
    }

    @Test
    void aHoldThatIsNearlyOverIsReleasedFirstAndAcquiredAgain() {
        retained();
        rig.redis.silent("retain");
        rig.pass(Duration.ofMillis(310));
        Lease next = lock.tryAcquire().orElseThrow();
        assertThat(rig.redis.sent.stream().map(ScriptedTransport.Sent::name)).containsSubsequence("release", "acquire");
        assertThat(next.remaining()).isGreaterThan(Duration.ofSeconds(20));
    }

    /** The question has shortened the hold, so nobody lost it who had released it before. */
    @ParameterizedTest
    @ValueSource(strings = {"gone taken", "gone free", "ended"})
    void aHoldThatEndsWhileTheAnswerIsMissedWasReleased(String found) {
        Lease lease = lock.tryAcquire().orElseThrow();
        rig.redis.silent("retain");
        CompletableFuture<Void> released = lease.releaseAsync().toCompletableFuture();
        rig.redis.answers("release", call -> rig.redis.reply(words(found)[0], rest(found)));
        rig.pass(Duration.ofSeconds(3));
        assertThat(released).isCompleted();
        assertThat(rig.redis.sent("release")).isNotEmpty();
        assertThat(rig.lost).isEmpty();
        assertThat(rig.records()).isEmpty();
    }

    @Test
    void aHoldThatEndsBeforeTheAnswerArrivesWasReleased() {
        Lease lease = lock.tryAcquire().orElseThrow();
        rig.redis.answers("retain", call -> {
            rig.time.pauseProcess(RETAIN.plusMillis(100));
            return rig.redis.reply("going", call.args().get(1), "9", "9");
        });
        rig.redis.answers("release", call -> rig.redis.reply("gone", "taken"));
        lease.release();
        assertThat(rig.redis.sent("release")).hasSize(1);
        assertThat(rig.lost).isEmpty();
    }

    @Test
    void aHoldThatIsGoneBeforeItMayHaveEndedWasLost() {
        Lease lease = lock.tryAcquire().orElseThrow();
        rig.redis.fails("retain", new TransportException("the reply was lost", true, null));
        rig.redis.answers("release", call -> rig.redis.reply("gone", "taken"));
        assertThatThrownBy(lease::release).isInstanceOf(LeaseLostException.class);
        assertThat(rig.lost).hasSize(1);
    }

    private static String[] words(String text) {
        return text.split(" ");
    }

    private static String[] rest(String text) {
        return Arrays.copyOfRange(words(text), 1, words(text).length);
    }

    @Test
    void anAcquisitionWithOtherOptionsReleasesTheHoldFirst() {
        retained();
        Lease other = rig.lock(LockOptions.defaults()).tryAcquire().orElseThrow();
        assertThat(rig.redis.sent.stream().map(ScriptedTransport.Sent::name)).containsExactly("release", "acquire");
        assertThat(other.isHeld()).isTrue();
    }

    @Test
    void anIdleHoldThatRedisNoLongerHasIsDropped() {
        retained();
        rig.pass(Duration.ofMillis(150));
        lock.tryAcquire().orElseThrow().release();
        rig.redis.answers("retain", call -> rig.redis.reply("gone", "taken"));
        rig.pass(Duration.ofMillis(60));
        assertThat(rig.redis.sent("retain")).hasSize(1);
        assertThat(rig.redis.sent("release")).isEmpty();
        assertThat(rig.lost).isEmpty();
        assertThat(rig.retentionsEnded).containsExactly(RetentionOutcome.REUSED, RetentionOutcome.LOST);
        assertThat(lock.tryAcquire()).isPresent();
        assertThat(rig.redis.sent("acquire")).hasSize(1);
    }

    @Test
    void theUserOfAHoldThatRedisNoLongerHasLosesIt() {
        retained();
        rig.pass(Duration.ofMillis(150));
        lock.tryAcquire().orElseThrow().release();
        rig.redis.silent("retain");
        rig.pass(Duration.ofMillis(60));
        assertThat(rig.redis.sent("retain")).hasSize(1);
        Lease user = lock.tryAcquire().orElseThrow();
        rig.redis.last("retain").answer().complete(rig.redis.reply("gone", "taken"));
        assertThat(user.isHeld()).isFalse();
        assertThat(rig.lost).hasSize(1);
        assertThat(rig.lost.get(0).cause()).isEqualTo(LossCause.TAKEN_OVER);
    }

    /** Redis has lost its data, so another acquisition of the same client was granted the lock, and its hold is retained, too. */
    @Test
    void theUserOfAHoldInWhosePlaceAnotherIsRetainedIsLostAtItsDeadline() {
        retained();
        Lease user = lock.tryAcquire().orElseThrow();
        Lease granted = lock.tryAcquire().orElseThrow();
        assertThat(rig.redis.sent("acquire")).hasSize(1);
        granted.release();
        assertThat(rig.redis.sent("retain")).hasSize(1);
        rig.redis.silent("retain");
        rig.redis.silent("renew");
        rig.pass(user.remaining().plusMillis(6));
        // Nobody asks the lease whether it is held, which would find it out, too.
        assertThat(rig.lost).hasSize(1);
        assertThat(rig.lost.get(0).fencingToken()).isEqualTo(user.fencingToken());
    }

    @Test
    void anAnswerMovesTheDeadlineOfTheLeaseThatUsesTheHold() {
        retained();
        rig.pass(Duration.ofMillis(150));
        lock.tryAcquire().orElseThrow().release();
        rig.redis.silent("retain");
        rig.pass(Duration.ofMillis(60));
        Lease user = lock.tryAcquire().orElseThrow();
        Duration before = user.remaining();
        ScriptedTransport.Sent sent = rig.redis.last("retain");
        long now = rig.time.serverMicros();
        sent.answer()
                .complete(rig.redis.reply(
                        "going", sent.arg(1), Long.toString(lastToken + 1), Long.toString(now + 400_000)));
        assertThat(user.remaining()).isGreaterThan(before);
    }

    @Test
    void aJumpOfTheClocksPutsTheHoldInDoubt() {
        retained();
        Lease user = lock.tryAcquire().orElseThrow();
        rig.time.stepWall(Duration.ofMillis(400));
        assertThat(user.isHeld()).isFalse();
        user.release();
        rig.redis.sent.clear();
        retains();
        lock.tryAcquire().orElseThrow().release();
        rig.time.stepWall(Duration.ofMillis(400));
        rig.redis.sent.clear();
        Lease next = lock.tryAcquire().orElseThrow();
        assertThat(rig.redis.sent("acquire")).hasSize(1);
        assertThat(next.isHeld()).isTrue();
    }

    @Test
    void closingReleasesIdleHoldsAndThoseInUse() {
        retained();
        rig.engine.shutDown();
        assertThat(rig.redis.sent("release")).hasSize(1);
        assertThat(rig.engine.quiet()).isTrue();
    }

    @Test
    void closingReleasesAHoldInUse() {
        retained();
        Lease user = lock.tryAcquire().orElseThrow();
        rig.engine.shutDown();
        assertThat(rig.redis.sent("release")).hasSize(1);
        assertThat(user.isHeld()).isFalse();
        assertThat(rig.engine.quiet()).isTrue();
    }

    @Test
    void closingWaitsForAThreadThatJustReleasesALeaseWithoutARequest() {
        retained();
        Lease user = lock.tryAcquire().orElseThrow();
        List<Boolean> quiet = new ArrayList<>();
        rig.whenReleased = () -> {
            rig.engine.shutDown();
            quiet.add(rig.engine.quiet());
        };
        user.release();
        assertThat(quiet).containsExactly(false);
        assertThat(rig.redis.sent("release")).hasSize(1);
        assertThat(rig.engine.quiet()).isTrue();
    }

    @Test
    void anExportedLeaseIsNotRetained() {
        retained();
        Lease user = lock.tryAcquire().orElseThrow();
        user.export();
        user.close();
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "300000"));
        assertThat(lock.tryAcquire()).isEmpty();
    }

    /** Only the rest of the retained hold was left, which was over before anybody could resume it. */
    @Test
    void aLeaseOfARetainedHoldIsRenewedBeforeItIsExported() {
        retained();
        Lease user = lock.tryAcquire().orElseThrow();
        String exported = user.export();
        assertThat(rig.redis.sent("renew")).hasSize(1);
        assertThat(rig.redis.last("renew").arg(1)).isEqualTo("30000000");
        assertThat(user.remaining()).isGreaterThan(Duration.ofSeconds(29));
        assertThat(user.export()).isEqualTo(exported);
        assertThat(rig.redis.sent("renew")).hasSize(1);
        rig.pass(Duration.ofMinutes(2));
        assertThat(user.isHeld()).isTrue();
        user.close();
        assertThat(rig.redis.sent("release")).isEmpty();
    }

    /** The watchdog has the lease, but its first renewal is not confirmed yet. */
    @Test
    void aLeaseThatJustLeftItsRetentionIsRenewedBeforeItIsExported() {
        retained();
        Lease user = lock.tryAcquire().orElseThrow();
        rig.redis.silent("renew");
        rig.pass(RETAIN.dividedBy(3));
        rig.redis.answers(
                "renew", call -> rig.redis.reply("renewed", call.args().get(1)));
        rig.redis.sent.clear();
        String unused = user.export();
        assertThat(rig.redis.sent("renew")).hasSize(1);
        assertThat(user.remaining()).isGreaterThan(Duration.ofSeconds(29));
    }

    @Test
    void aLeaseOfARetainedHoldWhoseRenewalIsNotConfirmedIsNotExported() {
        retained();
        Lease user = lock.tryAcquire().orElseThrow();
        rig.redis.fails("renew", new TransportException("down", false, null));
        assertThatThrownBy(user::export).isInstanceOf(LockUnavailableException.class);
        user.close();
        assertThat(rig.redis.sent("release")).hasSize(1);
    }

    @Test
    void aLeaseOfARetainedHoldThatRedisNoLongerHasIsNotExported() {
        retained();
        Lease user = lock.tryAcquire().orElseThrow();
        rig.redis.answers("renew", call -> rig.redis.reply("gone", "free"));
        assertThatThrownBy(user::export).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(user::close).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void kindsOfLocksThatCannotRetainRefuseIt() {
        assertRefused("fair lock 'a'", () -> rig.engine.fairLock(EngineRig.KEY, OPTIONS));
        assertRefused("read lock 'a'", () -> rig.engine.readWriteLock(EngineRig.KEY, OPTIONS));
        assertRefused("permit lock 'a'", () -> rig.engine.semaphore(EngineRig.KEY, 3, OPTIONS));
        assertRefused("locks 'a'", () -> rig.engine.multiLock(List.of(EngineRig.KEY), OPTIONS));
        assertRefused("quorum lock 'a'", () -> rig.engine.lock(QuorumKey.of(EngineRig.PREFIX, "a"), OPTIONS));
        assertRefused("lock 'a' owned by", () -> lock.ownedBy("me"));
    }

    private static void assertRefused(String what, Runnable asking) {
        assertThatIllegalArgumentException()
                .isThrownBy(asking::run)
                .withMessageContaining("retainFor makes no sense for " + what)
                .withMessageContaining("Use options without retainFor");
    }
}
