package dev.leasehold.internal.quorum;

import static dev.leasehold.internal.quorum.QuorumRig.KEY;
import static dev.leasehold.internal.quorum.QuorumRig.LEASE;
import static dev.leasehold.internal.quorum.QuorumRig.OTHER;
import static dev.leasehold.internal.quorum.QuorumRig.TIMEOUT_NANOS;
import static dev.leasehold.internal.quorum.QuorumRig.acquisition;
import static dev.leasehold.internal.quorum.QuorumRig.entry;
import static dev.leasehold.internal.quorum.QuorumRig.release;
import static dev.leasehold.internal.quorum.QuorumRig.renewal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.key.PlainKey;
import dev.leasehold.internal.store.AcquireFreeLock;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.ForceRelease;
import dev.leasehold.internal.store.InspectLock;
import dev.leasehold.internal.store.LockStore;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.RenewHold;
import dev.leasehold.internal.store.RenewHolds;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.TokenFloor;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Requests to a quorum, and the answers of its servers; the contracts test it against real servers. */
class QuorumStoreTest {

    private final QuorumRig rig = new QuorumRig();

    private static final AcquireFreeLock FREE_LOCK = new AcquireFreeLock(
            KEY,
            new AcquisitionId("id"),
            LEASE,
            new ServerTime(1L << 52),
            new TokenFloor(0),
            new Holder("1@host", "main", ""),
            TIMEOUT_NANOS);

    private void hold(LockKey key, String id) {
        rig.allAnswer("quorum_acquire", "granted", "10000000", "7");
        assertThat(rig.acquire(key, id).join().code()).isEqualTo(AcquireHold.Code.GRANTED);
    }

    private static void assertRefused(CompletionStage<?> answer, String feature) {
        assertThat(answer.toCompletableFuture()).isCompletedExceptionally();
        assertThatThrownBy(answer.toCompletableFuture()::join)
                .hasCauseInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("a quorum does not support " + feature);
    }

    @Test
    void aRequestThatNoMajorityCanDecideIsRefusedInWords() {
        assertRefused(rig.store.send(FREE_LOCK), "the request 'acquire free lock'");
        OwnerKey named = OwnerKey.named("job");
        assertRefused(rig.store.send(acquisition(KEY, named, "id")), "named owners");
        LockKey plain = PlainKey.of("a");
        assertRefused(
                rig.store.send(new ForceRelease(plain, 0, ServerTime.NONE, TIMEOUT_NANOS)), "locks of the kind PLAIN");
        LockKey standard = LockKey.of(new KeyPrefix("leasehold"), "a");
        assertRefused(rig.store.send(new InspectLock(standard, TIMEOUT_NANOS)), "locks of the kind STANDARD");
        assertRefused(rig.store.subscribe("channel", (ChannelListener) null), "a queue");
        assertThat(rig.servers).allMatch(server -> server.sent.isEmpty());
    }

    @Test
    void aRequestThatWouldWaitForReplicasIsRefused() {
        List<LockStore.Durable<?>> refused = rig.store.sendDurably(List.of(release("id"), FREE_LOCK), false, 1, 10);
        assertThat(refused).hasSize(2).allSatisfy(durable -> {
            assertRefused(durable.answer(), "requests that wait for replicas");
            assertRefused(durable.replicas(), "requests that wait for replicas");
        });
    }

    @Test
    void aRequestThatFailsAffectsNoOtherOfItsBatch() {
        hold(KEY, "id");
        rig.allAnswer("release", "released");
        List<CompletableFuture<?>> answers = rig.store.sendAll(List.of(FREE_LOCK, release("id")));
        assertRefused(answers.get(0), "the request 'acquire free lock'");
        assertThat(answers.get(1).join())
                .isInstanceOfSatisfying(
                        ReleaseHold.Answer.class,
                        answer -> assertThat(answer.code()).isEqualTo(ReleaseHold.Code.RELEASED));
    }

    @Test
    void aTryIsSentToEachServerUnderItsOwnIdAndBeforeItsOwnDeadline() {
        hold(KEY, "id");
        rig.allAnswer("release", "released");
        hold(KEY, "id");
        assertThat(rig.servers).allSatisfy(server -> {
            List<QuorumRig.Server.Sent> tries = server.sent("quorum_acquire");
            assertThat(tries).extracting(one -> one.call().args().get(0)).containsExactly("id.1", "id.2");
            assertThat(Long.parseLong(tries.get(0).call().args().get(2))).isLessThan(1L << 52);
            assertThat(server.sent("release"))
                    .extracting(one -> one.call().args().get(0))
                    .containsExactly("id.1");
        });
    }

    @Test
    void theAnswerHasTheTokenAndTheValidityOfTheMajority() {
        rig.servers.get(0).answers("quorum_acquire", "granted", "9000000", "5");
        rig.servers.get(1).answers("quorum_acquire", "granted", "8000000", "9");
        rig.servers.get(2).answers("quorum_acquire", "granted", "7000000", "7");
        AcquireHold.Answer answer = rig.acquire(KEY, "id").join();
        assertThat(answer.token()).isEqualTo(7);
        assertThat(answer.lastToken()).isEqualTo(7);
        assertThat(answer.leftNanos()).isEqualTo(8_000_000_000L);
        assertThat(answer.now()).isEqualTo(rig.store.serverTimeAt("", rig.time.nanoTime()));
    }

    /** A majority of three cannot grant once one is down and one is busy, but only the third tells that the lock is busy. */
    @Test
    void aBusyLockIsReportedAsBusyThoughAServerIsDown() {
        CompletableFuture<AcquireHold.Answer> acquired = rig.acquire(KEY, "a1");
        List<QuorumRig.Server.Sent> sent = rig.servers.stream()
                .map(server -> server.sent("quorum_acquire").get(0))
                .toList();
        sent.get(0).reply().completeExceptionally(new TransportException("it is down", false, null));
        sent.get(1).reply().complete(List.of("busy", Long.toString(rig.time.serverMicros()), "5000000"));
        assertThat(acquired).isNotDone();
        sent.get(2).reply().complete(List.of("busy", Long.toString(rig.time.serverMicros()), "5000000"));
        assertThat(acquired.join().code()).isEqualTo(AcquireHold.Code.BUSY);
    }

    @Test
    void onlyATryThatSomeServersGrantedHasAShortestPause() {
        rig.allAnswer("release", "released");
        rig.servers.get(0).answers("quorum_acquire", "granted", "9000000", "5");
        rig.servers.get(1).answers("quorum_acquire", "busy", "5000000");
        rig.servers.get(2).answers("quorum_acquire", "busy", "5000000");
        AcquireHold.Answer split = rig.acquire(KEY, "a1").join();
        assertThat(split.code()).isEqualTo(AcquireHold.Code.BUSY);
        assertThat(split.pauseNanos()).isPositive();
        rig.allAnswer("quorum_acquire", "busy", "5000000");
        AcquireHold.Answer busy = rig.acquire(KEY, "a1").join();
        assertThat(busy.code()).isEqualTo(AcquireHold.Code.BUSY);
        assertThat(busy.pauseNanos()).isZero();
    }

    @Test
    void clocksAndTokensThatExcludeAMajorityAreReportedAsThemselves() {
        rig.servers.get(0).answers("quorum_acquire", "busy", "5000000");
        rig.servers.get(1).answers("quorum_acquire", "clock", "7");
        rig.servers.get(2).answers("quorum_acquire", "clock", "9");
        AcquireHold.Answer behind = rig.acquire(KEY, "a1").join();
        assertThat(behind.code()).isEqualTo(AcquireHold.Code.CLOCK);
        assertThat(behind.lastToken()).isEqualTo(9);
        rig.allAnswer("quorum_acquire", "exhausted", "11");
        AcquireHold.Answer exhausted = rig.acquire(OTHER, "b1").join();
        assertThat(exhausted.code()).isEqualTo(AcquireHold.Code.EXHAUSTED);
        assertThat(exhausted.lastToken()).isEqualTo(11);
    }

    @Test
    void anAnswerThatCannotBeReadMayBeAGrantAndIsReleased() {
        hold(KEY, "id");
        rig.servers.get(2).answers("quorum_acquire", "nonsense");
        assertThat(rig.acquire(OTHER, "other").join().code()).isEqualTo(AcquireHold.Code.GRANTED);
        CompletableFuture<ReleaseHold.Answer> released = rig.store.send(
                new ReleaseHold(OTHER, new AcquisitionId("other"), LEASE, true, ServerTime.NONE, TIMEOUT_NANOS));
        assertThat(released).isNotDone();
        assertThat(rig.servers.get(1).sent("release").get(0).call().args().get(1))
                .isEqualTo("0");
        assertThat(rig.servers.get(2).sent("release").get(0).call().args().get(1))
                .isNotEqualTo("0");
    }

    @Test
    void aReleaseWhoseAnswerCannotBeReadIsRepeated() {
        hold(KEY, "id");
        rig.allAnswer("release", "nonsense");
        CompletableFuture<ReleaseHold.Answer> released = rig.store.send(release("id"));
        assertThatThrownBy(released::join).hasCauseInstanceOf(TransportException.class);
        rig.allAnswer("release", "released");
        rig.time.pass(Duration.ofSeconds(1));
        assertThat(rig.servers)
                .allSatisfy(server -> assertThat(server.sent("release")).hasSize(2));
        assertThat(rig.store.send(release("id")).join().code()).isEqualTo(ReleaseHold.Code.RELEASED);
    }

    private void holdMany() {
        for (int n = 0; n < 100; n++) {
            hold(KEY, "id-" + n);
        }
        assertThat(rig.store.size()).isEqualTo(100);
    }

    @Test
    void holdsThatWereReleasedAreForgotten() {
        holdMany();
        rig.allAnswer("release", "released");
        for (int n = 0; n < 100; n++) {
            rig.store.send(release("id-" + n)).join();
        }
        rig.time.pass(Duration.ofSeconds(2));
        assertThat(rig.store.size()).isZero();
    }

    @Test
    void holdsThatNoServerConfirmsAsReleasedAreForgottenWhenTheyHaveEnded() {
        holdMany();
        for (int n = 0; n < 100; n++) {
            CompletableFuture<ReleaseHold.Answer> unused = rig.store.send(release("id-" + n));
        }
        rig.time.pass(Duration.ofMinutes(2));
        assertThat(rig.store.size()).isZero();
    }

    @Test
    void holdsThatTheServersHaveLostAreForgotten() {
        holdMany();
        rig.allAnswer("renew", "gone", "free");
        rig.allAnswer("release", "gone", "free");
        for (int n = 0; n < 100; n++) {
            CompletableFuture<RenewHolds.Answer> unused = rig.store.send(renewal(entry(KEY, "id-" + n)));
        }
        rig.time.pass(Duration.ofSeconds(10));
        assertThat(rig.store.size()).isZero();
    }

    @Test
    void aRenewalOfSeveralHoldsReportsEachByItself() {
        hold(KEY, "id");
        hold(OTHER, "other");
        rig.servers.get(0).answers("renew_many", "each", "failed", "OOM", "renewed", "6000000", "gone", "free");
        rig.servers.get(1).answers("renew_many", "each", "renewed", "5000000", "renewed", "5000000", "gone", "free");
        CompletableFuture<RenewHolds.Answer> answer =
                rig.store.send(renewal(entry(OTHER, "other"), entry(KEY, "id"), entry(KEY, "unknown")));
        rig.time.pass(Duration.ofNanos(TIMEOUT_NANOS));
        assertThatThrownBy(answer.join().results().get(0)::orThrow)
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("only 1 of 3 servers confirmed this");
        RenewHold.Answer renewed = answer.join().results().get(1).orThrow();
        assertThat(renewed.code()).isEqualTo(RenewHold.Code.RENEWED);
        assertThat(renewed.leftNanos()).isEqualTo(5_000_000_000L);
        assertThat(answer.join().results().get(2).orThrow().code()).isEqualTo(RenewHold.Code.GONE);
    }

    @Test
    void aRenewalOfOneHoldFailsWithoutAMajority() {
        hold(KEY, "id");
        rig.servers.get(0).answers("renew", "renewed", "6000000");
        CompletableFuture<RenewHold.Answer> answer =
                rig.store.send(new RenewHold(KEY, new AcquisitionId("id"), LEASE, TIMEOUT_NANOS));
        rig.time.pass(Duration.ofNanos(TIMEOUT_NANOS));
        assertThatThrownBy(answer::join).hasCauseInstanceOf(TransportException.class);
    }

    @Test
    void aServerThatStaysSilentForLongIsSuspected() {
        hold(KEY, "id");
        CompletableFuture<RenewHolds.Answer> renewal = rig.store.send(renewal(entry(KEY, "id")));
        CompletableFuture<InspectLock.Answer> inspection = rig.store.send(new InspectLock(KEY, TIMEOUT_NANOS));
        rig.time.pass(Duration.ofNanos(TIMEOUT_NANOS));
        assertThat(renewal.join().results().get(0).failure()).isInstanceOf(TransportException.class);
        assertThat(inspection).isCompletedExceptionally();
        assertThat(rig.servers).allSatisfy(server -> {
            assertThat(server.sent("renew").get(0).reply()).isCancelled();
            assertThat(server.sent("inspect").get(0).reply()).isCancelled();
        });
    }

    /** Else a list of a hundred locks takes a hundred times as long as a server that is down may take to answer. */
    @Test
    void anInspectionDoesNotWaitForAServerThatCannotChangeIt() {
        for (String[] state : List.of(new String[] {"lock", "0", "own", "id.1"}, new String[] {"lock", "0"})) {
            rig.allAnswer("inspect", state);
            rig.servers.get(0).silent("inspect");
            CompletableFuture<InspectLock.Answer> inspection = rig.store.send(new InspectLock(KEY, TIMEOUT_NANOS));
            assertThat(inspection).isCompleted();
            assertThat(inspection.join().code()).isEqualTo(InspectLock.Code.LOCK);
        }
    }

    /** A server that granted after the majority has another token. */
    @Test
    void anInspectionWaitsForAllAsLongAsTheTokenIsNotClear() {
        rig.allAnswer("inspect", "lock", "0", "own", "id.1", "last", "7");
        rig.servers.get(1).answers("inspect", "lock", "0", "own", "id.1", "last", "8");
        rig.servers.get(0).silent("inspect");
        CompletableFuture<InspectLock.Answer> inspection = rig.store.send(new InspectLock(KEY, TIMEOUT_NANOS));
        assertThat(inspection).isNotDone();
        rig.time.pass(Duration.ofNanos(TIMEOUT_NANOS));
        assertThat(inspection).isCompleted();
    }

    @Test
    void anInspectionShowsTheHolderOnWhichAMajorityAgrees() {
        rig.allAnswer("inspect", "lock", "0", "own", "id.1");
        rig.servers.get(0).answers("inspect", "lock", "0", "own", "id.2");
        assertThat(inspected().state().owner()).isEqualTo(OwnerKey.anonymous(new AcquisitionId("id.1")));
        rig.servers.get(1).answers("inspect", "lock", "0");
        assertThat(inspected().state()).isEqualTo(InspectLock.State.FREE);
        rig.servers.get(2).answers("inspect", "foreign", "list");
        assertThat(inspected().found()).isEqualTo("list");
    }

    private InspectLock.Answer inspected() {
        return rig.store.send(new InspectLock(KEY, TIMEOUT_NANOS)).join();
    }

    @Test
    void aForcedReleaseSucceedsIfOneServerHadTheLock() {
        rig.allAnswer("force_release", "free");
        assertThat(forced().code()).isEqualTo(ForceRelease.Code.FREE);
        rig.servers.get(2).answers("force_release", "foreign", "list");
        assertThat(forced()).satisfies(answer -> {
            assertThat(answer.code()).isEqualTo(ForceRelease.Code.FOREIGN);
            assertThat(answer.detail()).isEqualTo("list");
        });
        rig.servers.get(1).answers("force_release", "freed", "1");
        assertThat(forced().code()).isEqualTo(ForceRelease.Code.FREED);
        rig.servers.get(0).answers("force_release", "nonsense");
        rig.servers.get(1).answers("force_release", "nonsense");
        assertThatThrownBy(this::forced).hasCauseInstanceOf(TransportException.class);
    }

    @Test
    void aForcedReleaseThatNamesATokenFreesNothingIfAMajorityHasAnother() {
        rig.allAnswer("force_release", "other");
        rig.servers.get(0).answers("force_release", "freed", "1");
        assertThat(forced().code()).isEqualTo(ForceRelease.Code.OTHER);
        rig.servers.get(1).answers("force_release", "free");
        assertThat(forced().code()).isEqualTo(ForceRelease.Code.FREED);
    }

    @Test
    void aForcedReleaseIsLateIfNoMajorityGotItInTime() {
        rig.allAnswer("force_release", "stale");
        rig.servers.get(0).answers("force_release", "freed", "1");
        assertThat(forced().code()).isEqualTo(ForceRelease.Code.STALE);
        rig.servers.get(1).answers("force_release", "free");
        assertThat(forced().code()).isEqualTo(ForceRelease.Code.FREED);
    }

    @Test
    void aForcedReleaseIsSentToEachServerWithItsOwnTime() {
        rig.allAnswer("force_release", "free");
        forced();
        assertThat(rig.servers)
                .allSatisfy(server -> assertThat(Long.parseLong(server.sent("force_release")
                                .get(0)
                                .call()
                                .args()
                                .get(0)))
                        .isBetween(rig.time.serverMicros(), rig.time.serverMicros() + TIMEOUT_NANOS / 1000));
    }

    private ForceRelease.Answer forced() {
        return rig.store
                .send(new ForceRelease(KEY, 0, ServerTime.NONE, TIMEOUT_NANOS))
                .join();
    }
}
