package dev.leasehold.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.What;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each rule detects its planted violation, and reports nothing in a correct history. */
class CheckerTest {

    private static final Level STANDALONE = new Level("standalone", "none");
    private static final long MILLI = 1_000_000;
    private static final long LEASE = 1_000 * MILLI;

    private final List<Event> events = new ArrayList<>();

    @Test
    void whatIsAsItShouldBeIsNotBlamed() {
        lease("a", "mutex", 0, 10, 20, 100);
        lease("b", "mutex", 5, 25, 30, 101);
        lease("c", "rw", 0, 10, 500, 7, " reads");
        lease("d", "rw", 0, 11, 490, 7, " reads");
        register("mutex", 12, 100, 1);
        register("mutex", 26, 101, 2);

        assertThat(check().violations()).isEmpty();
    }

    @Test
    void c8SeesAReportOfADeadlock() {
        lease("a", "mutex", 0, 10, 40, 100);
        events.add(new Event(30 * MILLI, "p", "", "", What.DEADLOCK, "", 0, 0, "who waits for whom"));

        assertThat(broken()).containsExactly(Rule.C8);
    }

    @Test
    void c1SeesTwoLeasesThatClaimALockAtTheSameTime() {
        lease("a", "mutex", 0, 10, 40, 100);
        lease("b", "mutex", 5, 30, 50, 101);

        assertThat(broken()).containsExactly(Rule.C1);
    }

    @Test
    void c1SeesMoreHoldersOfASemaphoreThanItHasPermits() {
        lease("a", "semaphore", 0, 10, 40, 0, " once of 2");
        lease("b", "semaphore", 5, 30, 50, 0, " once of 2");
        assertThat(check().violations()).isEmpty();

        lease("c", "semaphore", 5, 35, 36, 0, " once of 2");
        assertThat(broken()).containsExactly(Rule.C1);
    }

    /** The next holder of a permit is no sign of a loss. */
    @Test
    void aPermitIsNotLostWhenAnotherIsGranted() {
        lease("a", "semaphore", 0, 10, 9_000, 0, " renewed of 2");
        lease("b", "semaphore", 5, 30, 50, 0, " once of 2");

        assertThat(check().violations()).isEmpty();
    }

    @Test
    void c8SeesALatchThatOpensBeforeItsLastCountDown() {
        add(0, "a", What.INVOKED, "latch", 0, LEASE, 2_000 * MILLI + " once");
        add(10, "a", What.OPENED, "latch", 0, 0, "");
        assertThat(check().violations()).isEmpty();

        add(20, "b", What.INVOKED, "latch", 0, LEASE, 2_000 * MILLI + " once");
        add(30, "b", What.OPENED, "latch", 0, 1, "");
        assertThat(broken()).containsExactly(Rule.C8);
    }

    @Test
    void c1SeesAWriterAmongReaders() {
        lease("a", "rw", 0, 10, 40, 100, " reads");
        lease("b", "rw", 5, 30, 50, 101);

        assertThat(broken()).containsExactly(Rule.C1);
    }

    /** A process learns of a deletion only at the next renewal: until then readers join a hold that is gone. */
    @Test
    void aReaderThatJoinsOthersHasTheirTokenThoughAWriterHeldInBetween() {
        lease("a", "rw", 0, 10, 50, 100, " reads");
        fault("flushall", 15, 16);
        lease("b", "rw", 17, 20, 25, 101);
        lease("c", "rw", 30, 31, 50, 100, " reads");

        assertThat(check().violations()).isEmpty();
    }

    @Test
    void anOverlapIsDeclaredWhereDataWereDeletedAndForOneLeaseFromThen() {
        lease("a", "mutex", 0, 10, 40, 100);
        lease("b", "mutex", 5, 30, 50, 101);
        fault("flushall", 25, 26);

        Verdict verdict = check();
        assertThat(verdict.violations()).isEmpty();
        assertThat(verdict.declared()).hasSize(1);
    }

    /** Like a grant with replicas: granted before the deletion, and answered after the next grant. */
    @Test
    void anOverlapIsDeclaredIfTheDeletedHoldIsAnsweredLast() {
        lease("a", "mutex", 20, 30, 50, 100);
        fault("flushall", 22, 24);
        lease("b", "mutex", 25, 28, 40, 101);

        Verdict verdict = check();
        assertThat(verdict.declared()).hasSize(1);
        assertThat(verdict.violations())
                .filteredOn(one -> one.rule() == Rule.C1)
                .isEmpty();
    }

    @Test
    void anOverlapIsNotDeclaredLaterThanOneLeaseAfterTheFault() {
        lease("a", "mutex", 0, 10, 1500, 100, " renewed");
        lease("b", "mutex", 5, 30, 1500, 101, " renewed");
        fault("flushall", 25, 26);

        assertThat(broken()).contains(Rule.C1);
    }

    @Test
    void anOverlapIsNotDeclaredForAFaultThatMustNotMatter() {
        lease("a", "mutex", 0, 10, 40, 100);
        lease("b", "mutex", 5, 30, 50, 101);
        fault("worker-stop", 25, 26);
        fault("server-stop", 25, 26);
        fault("reset", 25, 26);

        Verdict verdict = check();
        assertThat(verdict.violations()).hasSize(1);
        assertThat(verdict.declared()).isEmpty();
    }

    @Test
    void aRestartWithItsDataMustNotMatterAndOneWithoutMay() {
        lease("a", "mutex", 0, 10, 40, 100);
        lease("b", "mutex", 5, 30, 50, 101);
        fault("server-kill", 25, 26);

        assertThat(check(new Level("standalone", "aof")).violations()).hasSize(1);
        assertThat(check(STANDALONE).violations()).isEmpty();
    }

    @Test
    void c2SeesALeaseThatIsHeldAfterItWasLost() {
        granted("a", "mutex", 0, 10, 100, " renewed");
        add(20, "a", What.LOST, "mutex", 0, 0, "EXPIRED");
        add(30, "a", What.HELD, "mutex", 0, 0, "");

        assertThat(broken()).containsExactly(Rule.C2);
    }

    @Test
    void c2SeesALeaseThatIsHeldAfterItSaidThatItIsNot() {
        granted("a", "mutex", 0, 10, 100, " renewed");
        add(20, "a", What.NOT_HELD, "mutex", 0, 0, "");
        add(30, "a", What.HELD, "mutex", 0, 0, "");

        assertThat(broken()).contains(Rule.C2);
    }

    @Test
    void aLeaseIsSuspectWhenAWallClockMovedAndMayBeHeldAgain() {
        granted("a", "mutex", 0, 10, 100, " renewed");
        driver(15, What.CLOCK_MOVED);
        add(20, "a", What.NOT_HELD, "mutex", 0, 0, "");
        add(30, "a", What.HELD, "mutex", 0, 0, "");
        add(60_000, "", What.ENDED, "", 0, 0, "");
        assertThat(broken()).isEmpty();

        add(4_000, "a", What.NOT_HELD, "mutex", 0, 0, "");
        add(4_010, "a", What.HELD, "mutex", 0, 0, "");
        assertThat(broken()).contains(Rule.C2);
    }

    @Test
    void c2SeesALeaseThatIsHeldLongerThanItLasts() {
        granted("a", "mutex", 0, 10, 100, " once");
        add(1100, "a", What.HELD, "mutex", 0, 0, "");
        add(1101, "a", What.RELEASING, "mutex", 0, 0, "");

        assertThat(broken()).containsExactly(Rule.C2);
    }

    @Test
    void c3DetectsALossThatIsReportedTwice() {
        granted("a", "mutex", 0, 10, 100, " renewed");
        add(20, "a", What.LOST, "mutex", 0, 0, "EXPIRED");
        add(21, "a", What.LOST, "mutex", 0, 0, "EXPIRED");

        assertThat(broken()).containsExactly(Rule.C3);
    }

    @Test
    void c3DetectsALossThatIsNotReported() {
        granted("a", "mutex", 0, 10, 100, " once");
        add(20, "a", What.HELD, "mutex", 0, 0, "");
        add(60_000, "", What.ENDED, "", 0, 0, "");

        assertThat(broken()).containsExactly(Rule.C3);
    }

    @Test
    void c3WaitsForAStoppedProcess() {
        granted("a", "mutex", 0, 10, 100, " once");
        driver(100, What.STOPPED);
        driver(9_000, What.CONTINUED);
        add(9_010, "a", What.LOST, "mutex", 0, 0, "UNCONFIRMED");
        add(60_000, "", What.ENDED, "", 0, 0, "");

        assertThat(broken()).isEmpty();
    }

    @Test
    void c3DetectsARenewalThatDoesNotReportTheDeletion() {
        granted("a", "mutex", 0, 10, 100, " renewed");
        fault("flushall", 100, 101);
        add(4_000, "a", What.LOST, "mutex", 0, 0, "DELETED");
        add(60_000, "", What.ENDED, "", 0, 0, "");

        assertThat(broken()).containsExactly(Rule.C3);
    }

    @Test
    void c4SeesATokenThatDoesNotRise() {
        lease("a", "mutex", 0, 10, 20, 100);
        lease("b", "mutex", 21, 30, 40, 99);

        assertThat(broken()).containsExactly(Rule.C4);
    }

    @Test
    void c4SeesATokenThatTwoHave() {
        lease("a", "mutex", 0, 10, 20, 100);
        lease("b", "mutex", 5, 30, 40, 100);

        assertThat(broken()).containsExactly(Rule.C4);
    }

    /** The process that retained the lost hold takes it over until it hears of the loss, with a lower token than the next holder. */
    @Test
    void c4IsWaivedForAHoldThatWasLostWhileItsProcessRetainedIt() {
        lease("a", "mutex", 0, 22, 25, 100, " renewed");
        lease("b", "mutex", 26, 30, 40, 99, " renewed retains");
        fault("flushall", 20, 21);
        assertThat(check().violations()).isEmpty();
        lease("c", "mutex", 1_600, 1_610, 1_620, 98, " renewed retains");
        assertThat(broken()).containsExactly(Rule.C4);
    }

    @Test
    void c4IsNotWaivedForAProcessThatRetainsNothing() {
        lease("a", "mutex", 0, 22, 25, 100, " renewed");
        lease("b", "mutex", 1_026, 1_030, 1_040, 99, " renewed");
        fault("flushall", 20, 21);
        assertThat(broken()).containsExactly(Rule.C4);
    }

    /** As guarantees.md says: tokens of a block may be a second ahead, and rise after a loss only if that has passed. */
    @Test
    void c4IsWaivedWhereDataWereLostWithinTheSecondThatABlockReserves() {
        lease("a", "mutex", 0, 10, 20, 1_500_000);
        lease("b", "mutex", 30, 40, 50, 600_000);
        fault("flushall", 21, 22);
        assertThat(check().violations()).isEmpty();
        lease("c", "mutex", 130, 140, 150, 600_001);
        assertThat(broken()).as("less than the time that has passed").containsExactly(Rule.C4);
    }

    @Test
    void c4IsNotWaivedForABlockWhereNoDataWereLost() {
        lease("a", "mutex", 0, 10, 20, 1_500_000);
        lease("b", "mutex", 30, 40, 50, 600_000);
        fault("client-kill", 21, 22);
        assertThat(broken()).containsExactly(Rule.C4);
    }

    @Test
    void c4IsNotWaivedWhereDataWereDeletedUnlessAClockWentBackToo() {
        lease("a", "mutex", 0, 10, 20, 100);
        lease("b", "mutex", 1_021, 1_030, 1_040, 99);
        fault("flushall", 20, 21);
        assertThat(broken()).containsExactly(Rule.C4);

        fault("clock-back", 20, 21);
        assertThat(broken()).isEmpty();
    }

    @Test
    void c5SeesAStaleTokenThatIsAccepted() {
        register("mutex", 10, 100, 1);
        register("mutex", 11, 99, 2);

        assertThat(broken()).containsExactly(Rule.C5);
    }

    @Test
    void c5SeesAnAcceptedWriteThatIsOverwritten() {
        register("mutex", 10, 100, 1);
        register("mutex", 11, 101, 1);

        assertThat(broken()).containsExactly(Rule.C5);
    }

    @Test
    void c6SeesAnOwnerWithMoreHoldsThanItEntered() {
        add(10, "a", What.COUNTED, "owned", 2, 3, "0");
        assertThat(broken()).containsExactly(Rule.C6);

        events.clear();
        add(10, "a", What.COUNTED, "owned", 2, 3, "1");
        assertThat(broken()).isEmpty();
    }

    @Test
    void c6SeesTwoLiveHoldsOfOneLock() {
        add(10, "", What.SAMPLED, "mutex", 0, 2, "");

        assertThat(broken()).containsExactly(Rule.C6);
    }

    @Test
    void c7DetectsALockThatIsNotGrantedAfterTheFaults() {
        add(0, "", What.HEALED, "", 0, 0, "");
        add(10, "a", What.INVOKED, "mutex", 0, LEASE, 100 * MILLI + " once");
        add(110, "a", What.BUSY, "mutex", 0, 0, "");
        add(20_000, "", What.ENDED, "", 0, 0, "");

        assertThat(broken()).contains(Rule.C7);
    }

    @Test
    void c7DetectsLeftovers() {
        add(10, "", What.LEFT, "", 0, 0, "key x");

        assertThat(broken()).containsExactly(Rule.C7);
    }

    @Test
    void c8SeesAWaitThatDoesNotEnd() {
        add(0, "a", What.INVOKED, "mutex", 0, LEASE, 100 * MILLI + " once");
        add(5_000, "a", What.BUSY, "mutex", 0, 0, "");

        assertThat(broken()).containsExactly(Rule.C8);
    }

    @Test
    void c8DetectsAnOvertakingInAFairLock() {
        atWorkSince(-3_001);
        add(0, "a", What.INVOKED, "fair", 0, LEASE, 8_000 * MILLI + " renewed");
        lease("b", "fair", 1_000, 1_100, 1_200, 100);
        add(2_000, "a", What.GRANTED, "fair", 101, 0, "");

        assertThat(broken()).containsExactly(Rule.C8);
    }

    /** While its process loads classes a request is sent long after it was recorded. */
    @Test
    void aRequestOfANewProcessIsNotOvertaken() {
        atWorkSince(-2_999);
        add(0, "a", What.INVOKED, "fair", 0, LEASE, 8_000 * MILLI + " renewed");
        lease("b", "fair", 1_000, 1_100, 1_200, 100);
        add(2_000, "a", What.GRANTED, "fair", 101, 0, "");

        assertThat(broken()).isEmpty();
    }

    @Test
    void c9SeesALockThatAnUnknownAcquisitionKeeps() {
        add(0, "a", What.INVOKED, "mutex", 0, LEASE, 100 * MILLI + " once");
        add(100, "a", What.UNAVAILABLE, "mutex", 0, 0, "maybe");
        add(50_000, "b", What.INVOKED, "mutex", 0, LEASE, 100 * MILLI + " once");
        add(50_050, "b", What.BUSY, "mutex", 0, 0, "");
        add(60_000, "", What.ENDED, "", 0, 0, "");

        assertThat(broken()).containsExactly(Rule.C9);
    }

    /** On a busy machine a holder may need longer than usual, and those who ask meanwhile are refused because of it. */
    @Test
    void aLockThatAnotherHeldBeforeIsNotUnavailableBecauseOfAnUnknownAcquisition() {
        add(0, "b", What.INVOKED, "rw", 0, LEASE, 100 * MILLI + " renewed reads");
        add(10, "b", What.GRANTED, "rw", 100, 12_000 * MILLI, "");
        add(20, "a", What.INVOKED, "rw", 0, LEASE, 100 * MILLI + " once reads");
        add(120, "a", What.UNAVAILABLE, "rw", 0, 0, "maybe");
        add(9_000, "c", What.INVOKED, "rw", 0, LEASE, 100 * MILLI + " once");
        add(9_100, "c", What.BUSY, "rw", 0, 0, "");
        add(11_000, "b", What.HELD, "rw", 100, 12_000 * MILLI, "");
        add(11_000, "b", What.RELEASING, "rw", 100, 0, "");
        add(11_010, "b", What.RELEASED, "rw", 100, 0, "");
        add(60_000, "", What.ENDED, "", 0, 0, "");

        assertThat(check().violations()).noneMatch(one -> one.rule() == Rule.C9);
    }

    @Test
    void nothingIsKnownOfALockThatNobodyAskedForAfterAnUnknownAcquisition() {
        add(0, "a", What.INVOKED, "mutex", 0, LEASE, 100 * MILLI + " once");
        add(100, "a", What.UNAVAILABLE, "mutex", 0, 0, "maybe");
        add(60_000, "", What.ENDED, "", 0, 0, "");

        assertThat(check().violations()).isEmpty();
        assertThat(check().idle()).contains(Rule.C9);
    }

    @Test
    void c9DetectsAnUngrantedUseOfTheResource() {
        add(0, "a", What.INVOKED, "mutex", 0, LEASE, 100 * MILLI + " once");
        add(100, "a", What.UNAVAILABLE, "mutex", 0, 0, "maybe");
        add(110, "a", What.WITNESS_READ, "mutex", 0, 0, "");

        assertThat(broken()).containsExactly(Rule.C9);
    }

    @Test
    void aRuleThatHadNothingToJudgeIsNamed() {
        assertThat(check().idle()).containsExactly(Rule.values());

        lease("a", "mutex", 0, 10, 20, 100);
        assertThat(check().idle()).doesNotContain(Rule.C1, Rule.C2, Rule.C4);
    }

    /** With one replica each that is waited for, as a cluster of a run has. */
    @Test
    void aFailOverInAClusterMustNotMatterWhereReplicasAreWaitedForButARestartWithoutDataMay() {
        lease("a", "mutex", 0, 10, 40, 100);
        lease("b", "mutex", 5, 30, 50, 101);
        fault("fail-over-forced", 25, 26);
        assertThat(check(new Level("cluster", "none")).violations()).isEmpty();
        assertThat(check(new Level("cluster", "replicas")).violations()).hasSize(1);

        fault("server-kill", 25, 26);
        assertThat(check(new Level("cluster", "replicas")).violations()).isEmpty();
    }

    @Test
    void aDeletionAfterTheReleaseIsNoReportableLoss() {
        lease("a", "mutex", 0, 10, 20, 100, " renewed");
        fault("flushall", 100, 101);
        add(60_000, "", What.ENDED, "", 0, 0, "");

        Verdict verdict = check();
        assertThat(verdict.violations()).isEmpty();
        assertThat(verdict.judged(Rule.C3)).isZero();
    }

    /** The machine is busy, but a request that was sent a minute later does not count as an overtaking. */
    @Test
    void c8DetectsAnOvertakingThoughOthersWereAnsweredBetweenThem() {
        atWorkSince(-3_001);
        add(0, "a", What.INVOKED, "fair", 0, LEASE, 8_000 * MILLI + " renewed");
        lease("b", "fair", 1_000, 1_100, 1_200, 100);
        for (int n = 0; n < 5; n++) {
            add(1_300 + n, "c" + n, What.INVOKED, "fair", 0, LEASE, 100 * MILLI + " once");
            add(1_400 + n, "c" + n, What.BUSY, "fair", 0, 0, "");
        }
        add(2_000, "a", What.GRANTED, "fair", 101, 0, "");

        assertThat(broken()).containsExactly(Rule.C8);
    }

    @Test
    void whatIsSaidOfAnyLibraryIsCountedWhetherOrNotItWasPromised() {
        lease("a", "mutex", 0, 10, 40, 100);
        lease("b", "mutex", 5, 30, 50, 101);
        add(31, "a", What.LOST, "mutex", 0, 0, "EXPIRED");
        add(41, "a", What.RELEASE_LOST, "mutex", 0, 0, "");
        add(51, "b", What.RELEASE_LOST, "mutex", 0, 0, "");
        add(32, "b", What.WITNESS_WROTE, "mutex", 0, 7, "lost");
        fault("flushall", 25, 26);
        register("mutex", 33, 101, 1);
        register("mutex", 34, 100, 2);

        Comparison seen = Comparison.of(sorted(), check());
        assertThat(seen.acquisitions()).isEqualTo(2);
        assertThat(seen.overlaps()).isEqualTo(1);
        assertThat(seen.lossesReported()).isEqualTo(1);
        assertThat(seen.lossesReportedByRelease()).isEqualTo(1);
        assertThat(seen.staleWrites()).isEqualTo(1);
        assertThat(seen.fenced()).isTrue();
        assertThat(seen.staleFencedWrites()).isEqualTo(1);
    }

    @Test
    void aLockStandsStillWhileItIsFreeAndRequested() {
        lease("a", "mutex", 0, 10, 20, 100);
        lease("b", "mutex", 900, 1_000, 1_100, 101);
        assertThat(standStill()).isEqualTo(100);

        add(50, "c", What.INVOKED, "mutex", 0, LEASE, 100 * MILLI + " once");
        add(150, "c", What.BUSY, "mutex", 0, 0, "");
        assertThat(standStill()).isEqualTo(950);

        add(1_200, "d", What.INVOKED, "mutex", 0, LEASE, 100 * MILLI + " once");
        add(1_300, "d", What.BUSY, "mutex", 0, 0, "");
        add(9_200, "", What.ENDED, "", 0, 0, "");
        assertThat(standStill()).isEqualTo(8_000);
    }

    @Test
    void aLatchDoesNotStandStill() {
        add(0, "a", What.INVOKED, "latch", 0, LEASE, 2_000 * MILLI + " once");
        add(900, "a", What.OPENED, "latch", 0, 0, "");
        add(1_000, "b", What.INVOKED, "latch", 0, LEASE, 2_000 * MILLI + " once");
        add(3_000, "b", What.BUSY, "latch", 0, 0, "");
        add(9_000, "", What.ENDED, "", 0, 0, "");

        assertThat(standStill()).isZero();
    }

    /** A killed holder had the lock until its death: the rest of its lease is stand-still for the others. */
    @Test
    void aDeadProcessHoldsNothing() {
        granted("a", "mutex", 0, 10, 100, " renewed");
        driver(30, What.KILLED);
        events.add(new Event(40 * MILLI, "q", "0", "b", What.INVOKED, "mutex", 0, LEASE, 5_000 * MILLI + " once"));
        events.add(new Event(1_010 * MILLI, "q", "0", "b", What.GRANTED, "mutex", 101, 0, ""));

        assertThat(standStill()).isEqualTo(970);
    }

    private long standStill() {
        return Comparison.of(sorted(), check()).standStillNanos() / MILLI;
    }

    private List<Rule> broken() {
        return check().violations().stream().map(Violation::rule).distinct().toList();
    }

    private Verdict check() {
        return check(STANDALONE);
    }

    private Verdict check(Level level) {
        return Checker.check(sorted(), level);
    }

    private List<Event> sorted() {
        List<Event> sorted = new ArrayList<>(events);
        sorted.sort(Comparator.comparingLong(Event::at));
        return sorted;
    }

    private void lease(String op, String lock, long requestedAt, long from, long to, long token) {
        lease(op, lock, requestedAt, from, to, token, " once");
    }

    /** A lease that reported itself as held from one moment to another, and was then released. */
    private void lease(String op, String lock, long requestedAt, long from, long to, long token, String how) {
        granted(op, lock, requestedAt, from, token, how);
        add(from, op, What.HELD, lock, 0, 0, "");
        add(to, op, What.HELD, lock, 0, 0, "");
        add(to, op, What.RELEASING, lock, 0, 0, "");
        add(to + 1, op, What.RELEASED, lock, 0, 0, "");
    }

    private void granted(String op, String lock, long requestedAt, long from, long token, String how) {
        add(requestedAt, op, What.INVOKED, lock, 0, LEASE, 2_000 * MILLI + how);
        add(from, op, What.GRANTED, lock, token, from * MILLI + LEASE, "");
    }

    private void atWorkSince(long millis) {
        add(millis, "", What.NOT_HELD, "", 0, 0, "");
    }

    private void register(String lock, long at, long token, long value) {
        add(at, "r", What.WROTE, lock, token, value, "accepted");
    }

    private void fault(String kind, long from, long to) {
        String id = kind + from;
        add(from, id, What.FAULT_BEGINS, "", 0, 0, kind);
        add(to, id, What.FAULT_ENDS, "", 0, 0, "");
    }

    /** An event about the process of all these leases. */
    private void driver(long millis, What what) {
        events.add(new Event(millis * MILLI, "driver", "p", "", what, "", 0, 0, ""));
    }

    private void add(long millis, String op, What what, String lock, long token, long value, String note) {
        events.add(new Event(millis * MILLI, "p", "0", op, what, lock, token, value, note));
    }
}
