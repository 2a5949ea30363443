package dev.leasehold.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.leasehold.ForeignKeyException;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.LeaseNotResumableException;
import dev.leasehold.LeaseholdException;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.event.FailedEvent;
import dev.leasehold.event.FailureReason;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.internal.acquire.ExportedLease;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.PlainKey;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Leases that go from one process to another, in virtual time: who holds what after which answer, or none. */
class ExportTest {

    private final EngineRig rig = new EngineRig();

    private static TransportException lostReply() {
        return new TransportException("the reply was lost", true, null);
    }

    private ExportedLease decode(String exported) {
        return ExportedLease.decode(EngineRig.PREFIX, exported);
    }

    private Lease resume(String exported) {
        return rig.engine.resume(decode(exported), EngineRig.OPTIONS);
    }

    private CompletableFuture<Lease> resumeAsync(String exported) {
        return rig.engine.resumeAsync(decode(exported), EngineRig.OPTIONS).toCompletableFuture();
    }

    private static Throwable failureOf(CompletableFuture<?> future) {
        assertThat(future).isCompletedExceptionally();
        return catchThrowable(future::join).getCause();
    }

    @Test
    void exportingAsksNobodyAndTheLeaseGoesOn() {
        Lease lease = rig.held();
        int before = rig.redis.sent.size();
        String exported = lease.export();
        assertThat(lease.export()).isEqualTo(exported);
        assertThat(rig.redis.sent).hasSize(before);
        rig.pass(Duration.ofMinutes(2));
        assertThat(lease.isHeld()).isTrue();
        assertThat(rig.redis.sent("renew")).isNotEmpty();
    }

    @Test
    void whoResumesNamesTheFormerHoldAndAFloorAboveItsToken() {
        EngineRig twice = new EngineRig(false);
        Lease lease = twice.held();
        Lease next = rig.engine.resume(
                decode(lease.export()),
                LockOptions.builder().leaseTime(Duration.ofSeconds(7)).build());
        assertThat(rig.redis.last("resume").call().args())
                .startsWith(
                        "acquisition-1",
                        "acquisition-1",
                        "acquisition-1",
                        "7000000",
                        Long.toString(rig.time.serverMicros() + 2_000_000),
                        // More than one copy of the acquire may be on its way.
                        twice.redis.last("acquire").arg(2),
                        Long.toString(lease.fencingToken()));
        assertThat(next.name()).isEqualTo("a");
        assertThat(next.remaining()).isBetween(Duration.ofSeconds(6), Duration.ofSeconds(7));
    }

    @Test
    void aNamedOwnerStaysTheOwner() {
        Lease lease = rig.lock().ownedBy("örder-17").tryAcquire().orElseThrow();
        Lease next = resume(lease.export());
        assertThat(next.owner()).isEqualTo("örder-17");
        assertThat(rig.redis.last("resume").arg(2)).isEqualTo("n:örder-17");
    }

    /** The string stands for this lease, not for the one after it in the same process. */
    @Test
    void anExportedLeaseIsNotHandedOff() {
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "30000000", "7", "0"));
        CompletableFuture<Lease> first = rig.lock().acquireAsync().toCompletableFuture();
        CompletableFuture<Lease> second = rig.lock().acquireAsync().toCompletableFuture();
        int[] grants = {1};
        rig.redis.answers(
                "acquire",
                call -> grants[0]-- > 0
                        ? rig.redis.reply("granted", "30000000", "7", "99")
                        : rig.redis.reply("busy", "30000000", "7", "0"));
        rig.redis.listeners.get(0).resubscribed();
        assertThat(first).isCompleted();
        String unused = first.join().export();
        first.join().release();
        assertThat(rig.redis.sent("release")).hasSize(1);
        assertThat(second).isNotDone();
    }

    /** The lock becomes free in another process, and Redis notifies only those that have a position. */
    @Test
    void whoWaitsBehindAnExportedLeaseTakesAPositionInTheQueueOfRedis() {
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "30000000", "7", "0"));
        CompletableFuture<Lease> first = rig.lock().acquireAsync().toCompletableFuture();
        CompletableFuture<Lease> second = rig.lock().acquireAsync().toCompletableFuture();
        rig.redis.answers("acquire", call -> rig.redis.reply("granted", "30000000", "7", "99"));
        rig.redis.listeners.get(0).resubscribed();
        assertThat(second).isNotDone();
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "30000000", "7", "5"));
        int before = rig.redis.sent("acquire").size();
        String exported = first.join().export();
        assertThat(rig.redis.sent("acquire")).hasSize(before + 1);
        assertThat(exported).isEqualTo(first.join().export());
        assertThat(rig.redis.sent("acquire")).hasSize(before + 1);
        rig.redis.answers("acquire", call -> rig.redis.reply("granted", "30000000", "8", "99"));
        rig.redis.listeners.get(0).resubscribed();
        assertThat(second).isCompleted();
    }

    /** The lease has the hold of the one before it in its process, under that one's id. */
    @Test
    void aLeaseThatWasHandedTheLockExportsTheHoldThatRedisKnows() {
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "30000000", "7", "0"));
        CompletableFuture<Lease> first = rig.lock().acquireAsync().toCompletableFuture();
        CompletableFuture<Lease> second = rig.lock().acquireAsync().toCompletableFuture();
        rig.redis.answers("acquire", call -> rig.redis.reply("granted", "30000000", "7", "99"));
        rig.redis.listeners.get(0).resubscribed();
        first.join().release();
        assertThat(second).isCompleted();
        ExportedLease exported = decode(second.join().export());
        assertThat(exported.hold().value()).isEqualTo("acquisition-1");
        assertThat(exported.token()).isEqualTo(8);
    }

    @Test
    void closingAnExportedLeaseLeavesItsHoldAndReleasingGivesItBack() {
        List<LossEvent> told = new ArrayList<>();
        Lease left = rig.held();
        left.onLost(told::add);
        String unused = left.export();
        left.close();
        assertThat(left.isHeld()).isFalse();
        left.close();
        left.release();
        rig.pass(Duration.ofMinutes(2));
        assertThat(rig.redis.sent("release")).isEmpty();
        assertThat(rig.redis.sent("renew")).isEmpty();
        assertThat(rig.engine.quiet()).isTrue();
        assertThat(told).isEmpty();
        Lease given = rig.held();
        String other = given.export();
        given.release();
        assertThat(rig.redis.sent("release")).hasSize(1);
        assertThat(other).isNotEqualTo(unused);
    }

    @Test
    void closingTheClientLeavesWhatWasExportedAndGivesTheRestBack() {
        Lease exported = rig.held();
        String unused = exported.export();
        Lease other = rig.engine
                .lock(LockKey.of(EngineRig.PREFIX, "b"), EngineRig.OPTIONS)
                .tryAcquire()
                .orElseThrow();
        rig.engine.shutDown();
        assertThat(exported.isHeld()).isFalse();
        assertThat(other.isHeld()).isFalse();
        assertThat(rig.redis.sent("release"))
                .singleElement()
                .satisfies(sent -> assertThat(sent.arg(0)).isEqualTo("acquisition-2"));
        assertThat(rig.engine.quiet()).isTrue();
    }

    @Test
    void theFormerHolderIsToldAtItsNextRenewalAndClosesWithoutAnException() {
        Lease lease = rig.held();
        String unused = lease.export();
        rig.redis.answers("renew", call -> rig.redis.reply("gone", "taken"));
        rig.pass(Duration.ofSeconds(11));
        assertThat(rig.lost).extracting(LossEvent::cause).containsExactly(LossCause.TAKEN_OVER);
        assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeaseLostException.class);
        lease.close();
        assertThatThrownBy(lease::release).isInstanceOf(LeaseLostException.class);
        assertThat(rig.redis.sent("release")).isEmpty();
    }

    @Test
    void aLeaseThatIsOverIsNotExported() {
        Lease released = rig.held();
        released.release();
        assertThatThrownBy(released::export)
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("released");
        Lease late = rig.held();
        rig.redis.silent("renew");
        rig.time.pauseProcess(Duration.ofSeconds(31));
        assertThatThrownBy(late::export).isInstanceOf(LeaseLostException.class);
        assertThat(rig.lost).hasSize(1);
        assertThatThrownBy(late::close).as("nobody has its string").isInstanceOf(LeaseLostException.class);
    }

    @Test
    void onlyWhatHasATokenOfItsOwnIsExported() {
        rig.redis.answers("plain_acquire", call -> rig.redis.reply("granted", "30000000"));
        Lease plain = rig.engine
                .lock(PlainKey.of("p"), EngineRig.OPTIONS)
                .tryAcquire()
                .orElseThrow();
        assertThatThrownBy(plain::export)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("'p'")
                .hasMessageContaining("LockFormat.leasehold()");
        Lease reader = rig.engine
                .readWriteLock(EngineRig.KEY, EngineRig.OPTIONS)
                .readLock()
                .tryAcquire()
                .orElseThrow();
        assertThatThrownBy(reader::export)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("read side");
        assertThat(plain.isHeld()).isTrue();
        assertThat(reader.isHeld()).isTrue();
    }

    @Test
    void aLeaseInDoubtIsConfirmedFirst() {
        Lease lease = rig.held();
        rig.time.stepWall(Duration.ofMinutes(10));
        rig.redis.answers("renew", call -> rig.redis.reply("gone", "taken"));
        assertThat(lease.isHeld()).isFalse();
        assertThatThrownBy(lease::export).isInstanceOf(LeaseLostException.class);
    }

    /** The machine was suspended for 18 s: of 30 s Redis keeps the hold for 10 s. */
    @Test
    void afterTheMaximumHoldASuspensionCountsForWhatIsLeft() {
        Lease lease =
                rig.held(LockOptions.builder().maxHold(Duration.ofSeconds(1)).build());
        rig.pass(Duration.ofSeconds(2));
        assertThat(rig.heldLong).hasSize(1);
        rig.time.stepWall(Duration.ofSeconds(18));
        rig.redis.answers("renew", call -> rig.redis.reply("renewed", "10000000"));
        assertThatThrownBy(lease::export).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aLostAnswerIsAskedForAgainUnderTheSameId() {
        String exported = rig.held().export();
        int[] tries = {0};
        rig.redis.answers("resume", call -> {
            if (tries[0]++ < 2) {
                throw lostReply();
            }
            return rig.redis.reply("granted", "29000000", "8");
        });
        Lease lease = resume(exported);
        assertThat(lease.fencingToken()).isEqualTo(8);
        assertThat(lease.remaining()).isLessThan(Duration.ofSeconds(29));
        assertThat(rig.redis.sent("resume"))
                .hasSize(1)
                .first()
                .satisfies(sent -> assertThat(sent.arg(0)).isEqualTo("acquisition-2"));
        assertThat(rig.redis.sent("release")).isEmpty();
    }

    /** As for an acquire: the copy that may still come is refused by time, and what it may have taken is given back. */
    @Test
    void whoGetsNoAnswerIsToldAndGivesBackWhatItMayHaveUntilNoCopyCanCome() {
        String exported = rig.held().export();
        rig.redis.silent("resume");
        CompletableFuture<Lease> resumed = resumeAsync(exported);
        long notAfter = Long.parseLong(rig.redis.last("resume").arg(4));
        assertThat(notAfter).isEqualTo(rig.time.serverMicros() + 2_000_000);
        rig.pass(Duration.ofSeconds(2));
        assertThat(failureOf(resumed))
                .isInstanceOfSatisfying(
                        LockUnavailableException.class,
                        e -> assertThat(e.mayBeTaken()).isTrue());
        assertThat(rig.redis.last("release").arg(0)).isEqualTo("acquisition-2");
        assertThat(Long.parseLong(rig.redis.last("release").arg(1))).isEqualTo(notAfter);
        rig.redis.last("resume").answer().complete(rig.redis.reply("granted", "30000000", "8"));
        rig.pass(Duration.ofSeconds(1));
        int sent = rig.redis.sent("release").size();
        assertThat(rig.time.serverMicros()).isGreaterThan(notAfter);
        rig.pass(Duration.ofMinutes(1));
        assertThat(rig.redis.sent("release")).hasSize(sent);
        assertThat(rig.records()).hasSize(1);
    }

    @Test
    void whoWasNeverHeardHasTakenNothing() {
        String exported = rig.held().export();
        rig.redis.fails("resume", new TransportException("not connected", false, null));
        assertThatThrownBy(() -> resume(exported))
                .isInstanceOfSatisfying(
                        LockUnavailableException.class,
                        e -> assertThat(e.mayBeTaken()).isFalse())
                .hasMessageContaining("was not taken over");
        assertThat(rig.redis.sent("resume")).hasSize(4);
        assertThat(rig.redis.sent("release")).isEmpty();
    }

    @Test
    void aCancelledResumeGivesBackWhatItGets() {
        String exported = rig.held().export();
        rig.redis.silent("resume");
        CompletableFuture<Lease> resumed = resumeAsync(exported);
        resumed.cancel(false);
        assertThat(rig.redis.last("release").arg(0)).isEqualTo("acquisition-2");
        rig.redis.last("resume").answer().complete(rig.redis.reply("granted", "30000000", "8"));
        assertThat(rig.records()).hasSize(1);
    }

    @Test
    void anAnswerThatComesAfterTheLeaseIsGivenBack() {
        String exported = rig.held().export();
        rig.redis.answers("resume", call -> {
            rig.time.pauseProcess(Duration.ofSeconds(31));
            return rig.redis.reply("granted", "30000000", "8");
        });
        assertThatThrownBy(() -> resume(exported)).isInstanceOf(LockUnavailableException.class);
        assertThat(rig.redis.last("release").arg(0)).isEqualTo("acquisition-2");
    }

    @Test
    void eachRefusalIsToldInItsOwnWordsAndNoneTellsTheSecret() {
        Lease former = rig.lock().ownedBy("job").tryAcquire().orElseThrow();
        String exported = former.export();
        record Case(
                List<String> reply, Class<? extends LeaseholdException> told, String words, FailureReason... events) {}
        for (Case one : List.of(
                new Case(List.of("gone", "taken"), LeaseNotResumableException.class, "another client has the lock"),
                new Case(List.of("gone", "free"), LeaseNotResumableException.class, "resumed already"),
                new Case(List.of("gone", "ended"), LeaseNotResumableException.class, "ended without being renewed"),
                new Case(List.of("several", "3"), LeaseNotResumableException.class, "3 other holds"),
                new Case(
                        List.of("ended"),
                        LockUnavailableException.class,
                        "after the lease had ended",
                        FailureReason.NO_ANSWER),
                new Case(
                        List.of("clock", "5"),
                        LockUnavailableException.class,
                        "its clock is behind",
                        FailureReason.REFUSED),
                new Case(
                        List.of("exhausted", "9007199254740991"),
                        LockUnavailableException.class,
                        "9007199254740991",
                        FailureReason.REFUSED),
                new Case(List.of("foreign", "list"), ForeignKeyException.class, "list", FailureReason.REFUSED))) {
            rig.failed.clear();
            String[] rest = one.reply.subList(1, one.reply.size()).toArray(new String[0]);
            rig.redis.answers("resume", call -> rig.redis.reply(one.reply.get(0), rest));
            assertThatThrownBy(() -> resume(exported))
                    .as(one.toString())
                    .isInstanceOf(one.told)
                    .hasMessageContaining("'a'")
                    .hasMessageContaining(one.words)
                    .hasMessageNotContaining(exported)
                    .hasMessageNotContaining("acquisition-1");
            assertThat(rig.failed)
                    .as(one.toString())
                    .extracting(FailedEvent::reason)
                    .containsExactly(one.events);
        }
        rig.failed.clear();
        rig.redis.fails("resume", new RedisErrorException("NOPERM no"));
        assertThatThrownBy(() -> resume(exported)).hasMessageContaining("NOPERM");
        assertThat(rig.failed).extracting(FailedEvent::reason).containsExactly(FailureReason.NOT_PERMITTED);
        assertThat(rig.redis.sent("release")).as("nothing was taken").isEmpty();
        assertThat(former.isHeld()).isTrue();
    }

    @Test
    void aStaleAnswerIsTriedAgainWithTheTimeItBroughtAndNotForEver() {
        String exported = rig.held().export();
        int[] answers = {0};
        rig.redis.answers(
                "resume",
                call -> answers[0]++ == 0
                        ? List.of("stale", Long.toString(rig.time.serverMicros() + 3_600_000_000L))
                        : rig.redis.reply("granted", "30000000", "8"));
        assertThat(resume(exported).isHeld()).isTrue();
        assertThat(Long.parseLong(rig.redis.last("resume").arg(4)))
                .isGreaterThan(rig.time.serverMicros() + 3_600_000_000L);
        rig.redis.answers("resume", call -> rig.redis.reply("stale"));
        assertThatThrownBy(() -> resume(exported))
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContaining("later than they may");
    }

    @Test
    void aClosedClientResumesNothingAndGivesBackWhatComesThen() {
        String exported = rig.held().export();
        rig.redis.answers("resume", call -> {
            rig.engine.shutDown();
            return rig.redis.reply("granted", "30000000", "8");
        });
        assertThatThrownBy(() -> resume(exported))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThat(rig.redis.last("release").arg(0)).isEqualTo("acquisition-2");
        assertThatThrownBy(() -> resume(exported)).isInstanceOf(IllegalStateException.class);
        assertThat(failureOf(resumeAsync(exported))).isInstanceOf(IllegalStateException.class);
        assertThat(rig.redis.sent("resume")).hasSize(1);
    }

    /** A transport that may send twice: also after a no, another copy may come. */
    @Test
    void afterANoATransportThatMaySendTwiceGivesBackWhatAnotherCopyMayTake() {
        EngineRig twice = new EngineRig(false);
        String exported = twice.held().export();
        twice.redis.answers("resume", call -> twice.redis.reply("several", "1"));
        assertThatThrownBy(() -> twice.engine.resume(decode(exported), EngineRig.OPTIONS))
                .isInstanceOf(LeaseNotResumableException.class);
        assertThat(twice.redis.last("release").arg(1))
                .isEqualTo(twice.redis.last("resume").arg(4));
    }
}
