package dev.leasehold.simulation.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Each rule reports its planted violation, and reports nothing about a correct history. */
class CheckerTest {

    private static final long SECOND = 1_000_000_000;
    private static final long COMMAND = SECOND / 2;
    private static final long MEMORY = 2 * SECOND;
    private static final String LOCK = "lock-0";

    private final History history = new History();

    private void add(double seconds, int client, int op, What what, long token, double until, String note) {
        history.add(new Entry(nanos(seconds), client, op, what, LOCK, "", token, nanos(until), note));
    }

    private void fault(double seconds, double step, double until, String kind) {
        history.add(new Entry(nanos(seconds), -1, -1, What.FAULT, "", "", nanos(step), nanos(until), kind));
    }

    private static long nanos(double seconds) {
        return Math.round(seconds * SECOND);
    }

    /** Operation {@code op} of a client of the same number requests, is granted and, on both sides, holds for 3 s. */
    private void granted(double at, int op, long token) {
        add(at, op, op, What.INVOKED, 0, 0, "");
        add(at, op, op, What.SERVER_GRANTED, token, at + 3, "id-" + op);
        add(at, op, op, What.GRANTED, token, at + 2.9, "");
    }

    /** Grants so many permits of a semaphore, otherwise like {@link #granted}. */
    private void permits(double at, int op, int permits) {
        addPermits(at, op, What.INVOKED, permits, 0, "woken");
        addPermits(at, op, What.SERVER_GRANTED, permits, at + 3, "id-" + op);
        addPermits(at, op, What.GRANTED, permits, at + 2.9, "");
    }

    private void addPermits(double seconds, int op, What what, int permits, double until, String note) {
        String lock = Entry.PERMITS + 1;
        history.add(new Entry(nanos(seconds), op, op, what, lock, Entry.HOLDERS, permits, nanos(until), note));
    }

    private void released(double at, int op) {
        add(at, op, op, What.RELEASE_INVOKED, 0, 0, "");
        add(at, op, op, What.SERVER_RELEASED, 0, 0, "id-" + op);
        add(at, op, op, What.RELEASED, 0, 0, "");
    }

    private Verdict verdict() {
        return Checker.check(history, new Setting(COMMAND, MEMORY, 0, true));
    }

    private void breaks(Rule rule, String text) {
        assertThat(verdict().violations())
                .anySatisfy(violation -> {
                    assertThat(violation.rule()).isEqualTo(rule);
                    assertThat(violation.toString()).contains(text);
                })
                .allSatisfy(violation -> assertThat(violation.rule()).isEqualTo(rule));
    }

    @Test
    void aReleaseThatSucceedsAndLeavesItsHold() {
        add(1, -1, -1, What.HEALED, 0, 0, "");
        granted(2, 1, 10);
        add(3, 1, 1, What.RELEASE_INVOKED, 0, 0, "");
        add(3, 1, 1, What.RELEASED, 0, 0, "");
        add(9, -1, -1, What.ENDED, 0, 0, "");
        breaks(Rule.C7, "op 1 was released, as its caller learned, and Redis kept the hold");
    }

    @Test
    void aHoldThatAnotherLeaseTookOverMayStayAfterTheRelease() {
        add(1, -1, -1, What.HEALED, 0, 0, "");
        granted(2, 1, 10);
        add(3, 1, 1, What.RELEASE_INVOKED, 0, 0, "");
        add(3, 1, 1, What.RELEASED, 0, 0, "");
        add(3, 1, 2, What.INVOKED, 0, 0, "");
        add(3.1, 1, 2, What.SERVER_GRANTED, 11, 5, "id-1");
        add(3.1, 1, 2, What.GRANTED, 11, 4.9, "");
        add(3.2, 1, 2, What.RELEASE_INVOKED, 0, 0, "");
        add(3.2, 1, 2, What.SERVER_RELEASED, 0, 0, "id-1");
        add(3.2, 1, 2, What.RELEASED, 0, 0, "");
        add(9, -1, -1, What.ENDED, 0, 0, "");
        assertThat(verdict().violations()).isEmpty();
    }

    private void evicted() {
        granted(5, 1, 10);
        fault(6, 0, 6, "EVICTION");
        add(6, 1, 1, What.SERVER_GONE, 0, 0, "id-1");
        add(7.9, 1, 1, What.LOST, 0, 0, "DELETED");
        add(9, -1, -1, What.ENDED, 0, 0, "");
    }

    @Test
    void anEvictionThatIsReportedLate() {
        evicted();
        breaks(Rule.C3, "op 1 was not notified soon that its hold is gone");
    }

    @Test
    void anEvictionAfterAFaultMayBeReportedLate() {
        fault(4.5, 0, 4.6, "CONNECTION_LOST");
        evicted();
        assertThat(verdict().violations()).isEmpty();
    }

    @Test
    void whereNoKeysAreTrackedAnEvictionMayBeReportedLate() {
        evicted();
        assertThat(Checker.check(history, new Setting(COMMAND, MEMORY, 0, false))
                        .violations())
                .isEmpty();
    }

    /** Its own release removed the hold, and Redis answered a copy of it that the hold is gone. */
    private void releasedAndReportedAsLost() {
        granted(1, 1, 10);
        add(2, 1, 1, What.RELEASE_INVOKED, 0, 0, "");
        add(2, 1, 1, What.SERVER_RELEASED, 0, 0, "id-1");
        add(2.1, 1, 1, What.RELEASE_LOST, 0, 0, "DELETED");
        add(2.1, 1, 1, What.LOST, 0, 0, "DELETED");
    }

    @Test
    void aHoldThatItsOwnReleaseRemovedIsReportedAsLost() {
        releasedAndReportedAsLost();
        breaks(Rule.C3, "op 1 was reported as lost, though its own release had removed it in time");
    }

    @Test
    void afterAJumpOfItsClocksAReleaseMayHaveBeenTooLate() {
        add(1.5, 1, -1, What.CLOCKS_JUMPED, 0, 1.5, "back");
        releasedAndReportedAsLost();
        assertThat(verdict().violations()).isEmpty();
    }

    @Test
    void asManyPermitsAsThereAreAreClaimedTogether() {
        permits(1, 1, 2);
        permits(1.1, 2, 1);
        addPermits(2, 1, What.HELD, 0, 3.9, "");
        assertThat(verdict().violations()).isEmpty();
    }

    @Test
    void morePermitsThanThereAre() {
        permits(1, 1, 2);
        permits(1.1, 2, 1);
        permits(1.2, 3, 1);
        breaks(Rule.C1, "op 3 of client 3 and others claim 4 of 3 permits");
    }

    @Test
    void permitsThatRedisMayHaveLostAreNotCounted() {
        permits(1, 1, 3);
        fault(1.1, 0, 1.1, "RESTART_WITHOUT_DATA");
        permits(1.2, 2, 1);
        assertThat(verdict().violations()).isEmpty();
        assertThat(verdict().waived(Rule.C1)).isPositive();
    }

    @Test
    void permitsThatRedisMayHaveLostSinceAnEarlierGrantAreNotCountedEither() {
        permits(1, 1, 2);
        addPermits(1, 1, What.AWAITS_REPLICA, 0, 0, "");
        permits(1.1, 2, 1);
        fault(1.2, 0, 1.2, "FAIL_OVER_TO_REPLICA");
        addPermits(1.2, 2, What.SERVER_GONE, 0, 0, "id-2");
        permits(1.3, 3, 1);
        addPermits(1.4, 1, What.HELD, 0, 3.9, "");
        assertThat(verdict().violations())
                .filteredOn(one -> one.rule() == Rule.C1)
                .isEmpty();
        assertThat(verdict().waived(Rule.C1)).isPositive();
    }

    @Test
    void aWaitForAPermitWhileOneIsFreeIsReported() {
        permits(11, 1, 1);
        permits(11, 2, 1);
        addPermits(11.1, 4, What.INVOKED, 1, 0, "woken");
        add(13, -1, -1, What.ENDED, 0, 0, "");
        breaks(Rule.C8, "while the lock was free");
    }

    @Test
    void aHoldWithAMinimumMayEndUnreleasedAndThenAPollEndsTheWait() {
        granted(8, 1, 10);
        add(8, 1, 1, What.HAS_MINIMUM, 0, 0.5, "");
        add(8.2, 1, 1, What.RELEASE_INVOKED, 0, 0, "");
        add(8.5, 2, 2, What.INVOKED, 0, 0, "woken");
        add(11.8, -1, -1, What.ENDED, 0, 0, "");
        assertThat(verdict().violations()).isEmpty();
    }

    /** The lock is taken from client 1 at 9 s, and another caller waits for it. */
    private void takenBefore(int waiter) {
        granted(8, 1, 10);
        add(8.5, waiter, 2, What.INVOKED, 0, 0, "woken");
        add(9, 4, 5, What.FORCES, 0, 9.4, "");
        add(9, -1, -1, What.SERVER_FORCED, 0, 0, "");
        add(9, 1, 1, What.SERVER_GONE, 0, 0, "id-1");
    }

    /** Client 1 hears of that, and the waiter has not been served by 9.5 s. */
    private void heard(double at) {
        add(at, 1, 1, What.LOST, 0, 0, "DELETED");
        add(9.5, -1, -1, What.ENDED, 0, 0, "");
    }

    @Test
    void callersBehindAHolderFromWhichTheLockWasTakenWaitUntilItHearsOfThat() {
        takenBefore(1);
        heard(9.25);
        assertThat(verdict().violations()).isEmpty();
    }

    @Test
    void othersMayHaveHadTheLockBeforeTheHolderHearsOfIt() {
        takenBefore(1);
        granted(9.1, 3, 20);
        released(9.15, 3);
        heard(9.25);
        assertThat(verdict().violations()).isEmpty();
    }

    @Test
    void callersBehindAHolderThatHasHeardOfItWaitNoMore() {
        takenBefore(1);
        heard(9.1);
        breaks(Rule.C8, "while the lock was free");
    }

    @Test
    void callersOfOtherClientsDoNotWaitForIt() {
        takenBefore(2);
        heard(9.25);
        breaks(Rule.C8, "while the lock was free");
    }

    @Test
    void aWaitIsNotReportedIfTheWakeUpMayHaveGoneToADeadWaiter() {
        granted(8, 1, 10);
        released(9, 1);
        add(10.5, 2, 2, What.INVOKED, 0, 0, "woken");
        add(11.5, -1, -1, What.ENDED, 0, 0, "");
        breaks(Rule.C8, "while the lock was free");

        fault(2, 0, 2, "CLIENT_CRASHED");
        assertThat(verdict().violations()).isEmpty();
    }

    @Test
    void aWaitForAPermitWhileNoneIsFreeIsNotReported() {
        for (int op = 1; op <= 3; op++) {
            permits(11, op, 1);
        }
        addPermits(11.1, 4, What.INVOKED, 1, 0, "woken");
        add(13, -1, -1, What.ENDED, 0, 0, "");
        assertThat(verdict().violations()).isEmpty();
    }

    @Test
    void aGrantPastTheFirstOfTheQueueIsReported() {
        granted(1, 1, 100);
        add(1.1, 2, 2, What.SERVER_JOINED, 0, 0, "beside");
        assertThat(verdict().violations()).isEmpty();
        add(1.2, 3, 3, What.SERVER_JOINED, 0, 0, "past");
        breaks(Rule.C8, "op 3 was granted past the first");
    }

    @Test
    void nothingIsSaidWhenOneFollowsTheOther() {
        granted(1, 1, 100);
        add(1.1, 1, 1, What.WITNESS_READ, 0, 0, "");
        add(1.2, 1, 1, What.READ, 100, 0, "accepted");
        add(1.3, 1, 1, What.WITNESS_WROTE, 0, 0, "");
        add(1.4, 1, 1, What.WROTE, 100, 0, "accepted");
        released(2, 1);
        granted(2, 2, 200);
        released(3, 2);
        history.add(Entry.of(nanos(4), -1, What.HEALED, 0, ""));
        history.add(Entry.of(nanos(9), -1, What.ENDED, 0, ""));

        assertThat(verdict().violations()).isEmpty();
        assertThat(verdict().judged(Rule.C1)).isPositive();
        assertThat(verdict().judged(Rule.C2)).isPositive();
        assertThat(verdict().judged(Rule.C4)).isPositive();
        assertThat(verdict().judged(Rule.C5)).isPositive();
    }

    @Test
    void aPlantedOverlapIsReported() {
        granted(1, 1, 100);
        granted(2, 2, 200);
        released(2.5, 1);
        released(2.6, 2);

        breaks(Rule.C1, "op 1 of client 1 and op 2 of client 2 both claim it");
    }

    @Test
    void anOverlapIsDeclaredWhenDataWereLostAndReportedWhenNothingWas() {
        granted(1, 1, 100);
        fault(1.5, 0, 0, "RESTART_WITHOUT_DATA");
        granted(2, 2, 200);
        released(2.5, 1);
        released(2.6, 2);

        assertThat(verdict().violations()).isEmpty();
        assertThat(verdict().waived(Rule.C1)).isEqualTo(1);
    }

    @Test
    void anOverlapIsReportedUnderAFaultThatMustNotMatter() {
        granted(1, 1, 100);
        fault(1.5, 0, 1.6, "SERVER_PAUSED");
        granted(2, 2, 200);
        released(2.5, 1);
        released(2.6, 2);

        breaks(Rule.C1, "both claim it");
    }

    /** The client that was granted first loses the lock to the eviction, also if its answer arrives last. */
    @Test
    void anOverlapIsDeclaredWhenTheKeyWasEvictedBetweenTheGrantAndItsDelivery() {
        requested(1.0, 1);
        grantedByRedis(1.0, 1);
        fault(1.1, 0, 0, "EVICTION");
        requested(1.2, 2);
        grantedByRedis(1.2, 2);
        reported(1.3, 2);
        reported(1.4, 1);

        assertThat(verdict().violations()).isEmpty();
        assertThat(verdict().waived(Rule.C1)).isEqualTo(1);
    }

    @Test
    void anOverlapIsReportedWhenTheKeyWasEvictedBeforeTheFirstRequest() {
        requested(1.0, 2);
        fault(1.1, 0, 0, "EVICTION");
        requested(1.2, 1);
        grantedByRedis(1.2, 1);
        grantedByRedis(1.3, 2);
        reported(1.4, 2);
        reported(1.5, 1);

        breaks(Rule.C1, "both claim it");
    }

    private void requested(double at, int op) {
        add(at, op, op, What.INVOKED, 0, 0, "");
    }

    private void grantedByRedis(double at, int op) {
        add(at, op, op, What.SERVER_GRANTED, op, at + 3, "id-" + op);
    }

    private void reported(double at, int op) {
        add(at, op, op, What.GRANTED, op, at + 2.5, "");
    }

    @Test
    void anOverlapOfOneNamedOwnerIsNone() {
        for (int op = 1; op <= 2; op++) {
            history.add(new Entry(op, op, op, What.SERVER_GRANTED, LOCK, "boss", 100, nanos(3), "id-" + op));
            history.add(new Entry(op, op, op, What.GRANTED, LOCK, "boss", 100, nanos(3), ""));
            history.add(new Entry(op + 2, op, op, What.RELEASE_INVOKED, LOCK, "boss", 0, 0, ""));
        }

        assertThat(verdict().violations()).isEmpty();
    }

    @Test
    void aLeaseThatSaysItIsHeldLongerThanRedisHoldsItIsReported() {
        granted(1, 1, 100);
        add(2, 1, 1, What.HELD, 0, 5, "");
        released(2.5, 1);

        breaks(Rule.C2, "reports held until 5000 ms, and Redis holds it until 4000 ms");
    }

    @Test
    void aLeaseThatSaysItIsHeldAfterItsLossIsReported() {
        granted(1, 1, 100);
        add(2, 1, 1, What.LOST, 0, 0, "GONE");
        add(2.1, 1, 1, What.HELD, 0, 3, "");

        breaks(Rule.C2, "reports held after its release or loss");
    }

    @Test
    void aWriteBetweenReadAndWriteOfAnotherIsReported() {
        granted(1, 1, 100);
        add(1.1, 1, 1, What.WITNESS_READ, 0, 0, "");
        add(1.2, 2, 2, What.WITNESS_READ, 0, 0, "");
        add(1.3, 2, 2, What.WITNESS_WROTE, 0, 0, "");
        add(1.4, 1, 1, What.WITNESS_WROTE, 0, 0, "");
        released(2, 1);

        breaks(Rule.C2, "op 1 overwrote what op 2 wrote after it had read");
    }

    /** Like locks that are acquired together, of which one was lost during the wait for another. */
    @Test
    void aLossOfAnEarlierHoldIsNotReported() {
        add(0.5, -1, 1, What.SERVER_GRANTED, 1, 1, "id-0");
        add(0.9, -1, 1, What.SERVER_GRANTED, 2, 100, "id-1");
        add(1, 1, 1, What.GRANTED, 2, 100, "");
        add(1.1, 1, 1, What.DENIED, 0, 0, "id-0");
        add(3, 1, 1, What.RELEASE_INVOKED, 0, 0, "");
        add(3, 1, 1, What.RELEASED, 0, 0, "");

        assertThat(verdict().violations()).isEmpty();
    }

    @Test
    void aMissingNotificationOfALossIsReported() {
        granted(1, 1, 100);
        add(2, 1, 1, What.DENIED, 0, 0, "id-1");
        add(3, 1, 1, What.RELEASE_INVOKED, 0, 0, "");
        add(3, 1, 1, What.RELEASED, 0, 0, "");

        breaks(Rule.C3, "learned that its hold was gone, and did not report it");
    }

    /** Timers may be late by a part of the lease, also if a repeat of the request found only the rest of the hold. */
    @Test
    void aLossIsReportedInTimeForTheLeaseThatBeganInRedis() {
        fault(0.9, 0, 3.6, "REPLY_LOST");
        add(1, 1, 1, What.INVOKED, 0, 0, "");
        add(1, 1, 1, What.SERVER_GRANTED, 100, 4, "id-1");
        add(3.5, 1, 1, What.SERVER_GRANTED, 100, 4, "id-1");
        add(3.5, 1, 1, What.GRANTED, 100, 3.9, "");
        add(4.05, 1, 1, What.LOST, 0, 0, "EXPIRED");

        assertThat(verdict().violations()).isEmpty();
    }

    @Test
    void aLateNotificationOfALossIsReported() {
        granted(1, 1, 100);
        add(4.5, 1, 1, What.LOST, 0, 0, "EXPIRED");

        breaks(Rule.C3, "outlived its hold");
    }

    @Test
    void aRepeatedNotificationOfALossIsReported() {
        granted(1, 1, 100);
        add(2, 1, 1, What.LOST, 0, 0, "GONE");
        add(2.1, 1, 1, What.LOST, 0, 0, "GONE");

        breaks(Rule.C3, "notified of its loss twice");
    }

    @Test
    void aTokenThatDoesNotRiseIsReported() {
        granted(1, 1, 200);
        released(2, 1);
        granted(2, 2, 200);
        released(3, 2);

        breaks(Rule.C4, "op 2 got 200 after op 1 had got 200");
    }

    @Test
    void aTokenThatGoesBackWithTheClockIsReportedUnlessTheKeyIsGone() {
        granted(1, 1, 200);
        released(2, 1);
        fault(2.5, -0.5, 0, "CLOCK_BACK");
        granted(3, 2, 100);
        breaks(Rule.C4, "op 2 got 100 after op 1 had got 200");

        released(3.1, 2);
        granted(3.2, 3, 300);
        released(3.3, 3);
        granted(5.4, 4, 250);
        released(5.5, 4);
        assertThat(verdict().violations()).as("the token memory had passed").hasSize(1);
        assertThat(verdict().waived(Rule.C4)).isEqualTo(1);
    }

    @Test
    void aReleaseOfAnEndedHoldDoesNotProlongTheTokenMemory() {
        granted(1, 1, 200);
        released(4.5, 1);
        fault(4.6, -0.5, 0, "CLOCK_BACK");
        granted(4.7, 2, 100);
        assertThat(verdict().violations())
                .filteredOn(violation -> violation.rule() == Rule.C4)
                .isEmpty();
        assertThat(verdict().waived(Rule.C4)).isEqualTo(1);
    }

    @Test
    void aLateCopyOfAnAcquireThatMeetsARetainedHoldGrantsNothing() {
        granted(1, 1, 100);
        add(2, 1, 1, What.RELEASE_INVOKED, 0, 0, "");
        add(2, 1, 1, What.SERVER_RENEWED, 0, 3, "id-1");
        add(2, 1, 1, What.RELEASED, 0, 0, "");
        add(2.1, 1, 1, What.SERVER_GRANTED, 200, 3, "id-1");
        add(2.2, 1, 2, What.SERVER_GRANTED, 200, 3, "id-1");
        add(2.2, 1, 2, What.GRANTED, 200, 2.9, "");
        released(2.3, 2);
        assertThat(verdict().violations())
                .filteredOn(violation -> violation.rule() == Rule.C4)
                .isEmpty();
    }

    /** The answer to the release, which retains the hold, is on its way. */
    @Test
    void aLateCopyOfAnAcquireWhoseHolderReleasesGrantsNothing() {
        granted(1, 1, 100);
        add(2, 1, 1, What.RELEASE_INVOKED, 0, 0, "");
        add(2, 1, 1, What.SERVER_RENEWED, 0, 3, "id-1");
        add(2.1, 1, 1, What.SERVER_GRANTED, 200, 3, "id-1");
        add(2.2, 1, 1, What.RELEASED, 0, 0, "");
        add(2.2, 1, 2, What.SERVER_GRANTED, 200, 3, "id-1");
        add(2.2, 1, 2, What.GRANTED, 200, 2.9, "");
        released(2.3, 2);
        assertThat(verdict().violations())
                .filteredOn(violation -> violation.rule() == Rule.C4)
                .isEmpty();
    }

    @Test
    void aLateCopyOfAnAcquireAfterItsReleaseIsReported() {
        granted(1, 1, 200);
        released(2, 1);
        add(2.1, 1, 1, What.SERVER_GRANTED, 150, 5, "id-1");
        assertThat(verdict().violations())
                .anySatisfy(
                        violation -> assertThat(violation.toString()).contains("op 1 got 150 after op 1 had got 200"));
    }

    @Test
    void theTokenMemoryPassesAlsoOnAClockThatIsBehindTheOneOfTheBeginning() {
        fault(1, -36, 0, "CLOCK_BACK");
        granted(2, 1, 66_000_000);
        released(2.1, 1);
        fault(6, -10, 0, "CLOCK_BACK");
        granted(7, 2, 61_000_000);
        released(7.1, 2);

        Verdict verdict = Checker.check(history, new Setting(COMMAND, MEMORY, 100_000_000, true));
        assertThat(verdict.violations()).isEmpty();
        assertThat(verdict.waived(Rule.C4)).isEqualTo(1);
    }

    @Test
    void aTokenThatRedisDidNotGiveIsReported() {
        add(1, 1, 1, What.INVOKED, 0, 0, "");
        add(1, 1, 1, What.SERVER_GRANTED, 100, 4, "id-1");
        add(1, 1, 1, What.GRANTED, 101, 3.9, "");
        released(2, 1);

        breaks(Rule.C4, "has a token that Redis did not grant");
    }

    @Test
    void anOldTokenOfAnOwnerWhoseClientHasSeenAHigherOneIsReported() {
        entry(1.0, 1, 1, What.SERVER_GRANTED, "boss", 100, "id-1");
        entry(1.1, 1, 1, What.SERVER_RELEASED, "boss", 0, "id-1");
        entry(1.2, 2, 2, What.SERVER_GRANTED, "", 200, "id-2");
        entry(1.2, 2, 2, What.GRANTED, "", 200, "");
        entry(1.3, 2, 2, What.RELEASE_INVOKED, "", 0, "");
        fault(1.4, 0, 0, "FAIL_OVER_LAGGING");
        entry(1.5, 3, 3, What.INVOKED, "boss", 0, "");
        entry(1.5, 3, 3, What.SERVER_GRANTED, "boss", 100, "id-3");
        assertThat(verdict().violations()).as("of a client that has not").isEmpty();
        entry(1.6, 2, 4, What.INVOKED, "boss", 0, "");
        entry(1.6, 2, 4, What.SERVER_GRANTED, "boss", 100, "id-4");
        assertThat(verdict().violations()).as("shared with the previous reader").isEmpty();
        entry(1.7, 1, 5, What.SERVER_GRANTED, "", 201, "id-5");
        entry(1.8, 2, 6, What.INVOKED, "boss", 0, "");
        entry(1.8, 2, 6, What.SERVER_GRANTED, "boss", 100, "id-6");

        breaks(Rule.C4, "op 6 got 100 after op 5 had got 201");
    }

    private void entry(double at, int client, int op, What what, String owner, long token, String note) {
        history.add(new Entry(nanos(at), client, op, what, LOCK, owner, token, nanos(at + 3), note));
    }

    /** An operation of a client of the same number reads. */
    private void reads(double at, int op, long token) {
        reads(at, op, op, token);
    }

    private void reads(double at, int client, int op, long token) {
        entry(at, client, op, What.INVOKED, Entry.READERS, 0, "");
        entry(at, client, op, What.SERVER_GRANTED, Entry.READERS, token, "id-" + op);
        entry(at, client, op, What.GRANTED, Entry.READERS, token, "");
    }

    @Test
    void readersThatHoldTogetherWithDifferentTokensAreReported() {
        reads(1, 1, 100);
        reads(1.5, 2, 101);
        released(2, 1);
        released(2, 2);

        breaks(Rule.C20, "op 2 reads with token 101 beside op 1 with token 100");
    }

    @Test
    void readersOneAfterTheOtherMayHaveDifferentTokens() {
        reads(1, 1, 100);
        released(1.4, 1);
        reads(1.5, 2, 101);
        released(2, 2);

        assertThat(verdict().violations()).isEmpty();
    }

    @Test
    void aReaderWhoseHoldIsGoneBeforeItsGrantArrivesHoldsTogetherWithNobody() {
        entry(1, 1, 1, What.INVOKED, Entry.READERS, 0, "");
        entry(1, 1, 1, What.SERVER_GRANTED, Entry.READERS, 100, "id-1");
        fault(1.1, 3, 0, "CLOCK_FORWARD");
        entry(1.1, 1, 1, What.SERVER_GONE, Entry.READERS, 0, "id-1");
        entry(1.2, 1, 1, What.GRANTED, Entry.READERS, 100, "");
        reads(1.3, 2, 101);
        released(2, 1);
        released(2, 2);
        assertThat(verdict().violations()).isEmpty();

        entry(2.1, 3, 3, What.INVOKED, Entry.READERS, 0, "");
        entry(2.1, 3, 3, What.SERVER_GRANTED, Entry.READERS, 102, "id-3");
        entry(2.2, 3, 3, What.SERVER_GONE, Entry.READERS, 0, "id of a former try");
        entry(2.2, 3, 3, What.GRANTED, Entry.READERS, 102, "");
        reads(2.3, 4, 103);
        breaks(Rule.C20, "op 4 reads with token 103 beside op 3 with token 102");
    }

    @Test
    void aReaderThatJoinsAHoldWhichIsGoneHoldsTogetherWithNobody() {
        reads(1, 1, 100);
        fault(1.1, 0, 0, "RESTART_WITHOUT_DATA");
        entry(1.1, 1, 1, What.SERVER_GONE, Entry.READERS, 0, "id-1");
        entry(1.2, 1, 3, What.INVOKED, Entry.READERS, 0, "");
        entry(1.2, 1, 3, What.SERVER_GRANTED, Entry.READERS, 100, "id-1");
        entry(1.2, 1, 3, What.GRANTED, Entry.READERS, 100, "");
        reads(1.3, 2, 101);
        released(2, 1);
        released(2, 2);
        add(2, 1, 3, What.RELEASE_INVOKED, 0, 0, "");
        assertThat(verdict().violations()).isEmpty();
    }

    @Test
    void aReaderWhoseClientHasSeenALostGrantHasAHigherTokenAndSoHaveThoseAfterIt() {
        reads(1, 1, 100);
        released(1.1, 1);
        granted(1.2, 2, 200);
        released(1.3, 2);
        fault(1.4, 0, 0, "FAIL_OVER_LAGGING");
        reads(1.5, 3, 100);
        reads(1.6, 2, 4, 201);
        reads(1.7, 5, 201);
        released(2, 3);
        released(2, 5);
        add(2, 2, 4, What.RELEASE_INVOKED, 0, 0, "");

        assertThat(verdict().violations()).as("those who come later share it").isEmpty();
        reads(2.1, 6, 202);
        reads(2.2, 7, 203);
        breaks(Rule.C20, "op 7 reads with token 203 beside op 6 with token 202");
    }

    @Test
    void aReaderWhoseClientHasSeenAForgottenGrantHasAHigherTokenToo() {
        granted(1, 1, 200);
        released(1.1, 1);
        fault(9, -8, 9, "CLOCK_BACK");
        reads(9.1, 2, 100);
        reads(9.2, 1, 4, 201);
        released(10, 2);
        add(10, 1, 4, What.RELEASE_INVOKED, 0, 0, "");
        assertThat(verdict().violations())
                .filteredOn(one -> one.rule() == Rule.C20)
                .isEmpty();
        assertThat(verdict().waived(Rule.C20)).isPositive();
    }

    /** After a loss a reader joins another, with a token above the one that its client, number 1, has seen. */
    private void mayReadAboveWhatItHasSeen() {
        reads(1.5, 3, 150);
        reads(1.6, 1, 4, 201);
        released(2, 3);
        add(2, 1, 4, What.RELEASE_INVOKED, 0, 0, "");

        assertThat(verdict().violations()).isEmpty();
    }

    /** Its client heard of the grant, and waited for a replica in vain. */
    @Test
    void aReaderWhoseClientHasSeenALostGrantWithoutALeaseHasAHigherToken() {
        add(1, 1, 1, What.INVOKED, 0, 0, "");
        add(1, 1, 1, What.SERVER_GRANTED, 200, 4, "id-1");
        add(1.1, 1, 1, What.UNAVAILABLE, 0, 0, "maybe");
        add(1.1, 1, 1, What.SERVER_RELEASED, 0, 0, "id-1");
        fault(1.4, -1, 0, "FAIL_OVER_LAGGING");
        mayReadAboveWhatItHasSeen();
    }

    /** A hold that had reserved tokens became one of readers, whose token is ahead of the clock. */
    @Test
    void aTokenThatIsAheadOfTheClockMayComeAgainAfterALoss() {
        granted(10, 1, 10_400_000);
        released(10.1, 1);
        fault(10.15, 0, 0, "RESTART_WITHOUT_DATA");
        granted(10.2, 2, 10_200_000);
        released(10.3, 2);
        assertThat(verdict().violations()).isEmpty();
        assertThat(verdict().waived(Rule.C4)).isEqualTo(1);
    }

    @Test
    void aTokenThatTheClockHasPassedMustNotComeAgainAfterALoss() {
        granted(10, 1, 10_000_000);
        released(10.1, 1);
        fault(10.15, 0, 0, "RESTART_WITHOUT_DATA");
        granted(10.2, 2, 9_999_999);
        released(10.3, 2);
        breaks(Rule.C4, "op 2 got 9999999 after op 1 had got 10000000");
    }

    @Test
    void aTokenThatIsGivenAnewAfterALossIsAboveWhatItsNewClientHasSeen() {
        granted(1, 1, 200);
        released(1.1, 1);
        granted(1.2, 2, 201);
        released(1.3, 2);
        fault(1.4, -1, 0, "RESTART_WITHOUT_DATA");
        mayReadAboveWhatItHasSeen();
    }

    @Test
    void aReaderWhoseClientHasSeenWhatWasKeptOfALostMinimumHasAHigherToken() {
        granted(1, 1, 100);
        add(1.1, 1, 1, What.RELEASE_INVOKED, 0, 0, "");
        add(1.1, 1, 1, What.SERVER_KEPT, 200, 3, "id-1");
        add(1.2, 1, 1, What.RELEASED, 0, 0, "");
        fault(1.4, 0, 0, "FAIL_OVER_LAGGING");
        mayReadAboveWhatItHasSeen();
    }

    @Test
    void aWriteThatTheResourceShouldHaveRefusedIsReported() {
        add(1, 1, 1, What.WROTE, 200, 0, "accepted");
        add(2, 2, 2, What.WROTE, 100, 0, "accepted");

        breaks(Rule.C5, "token 100 was accepted after 200");
    }

    @Test
    void aWriteOverOneThatItHasNotSeenIsReported() {
        add(1, 1, 1, What.READ, 100, 0, "accepted");
        add(2, 2, 2, What.WROTE, 100, 0, "accepted");
        add(3, 1, 1, What.WROTE, 100, 0, "accepted");

        breaks(Rule.C5, "the write of op 1 overwrites that of op 2, which it has not seen");
    }

    @Test
    void aGrantAfterTheReleaseIsReported() {
        granted(1, 1, 100);
        released(2, 1);
        add(2.5, 1, 1, What.SERVER_GRANTED, 100, 5, "id-1");

        breaks(Rule.C6, "op 1 was granted again after its release");
    }

    @Test
    void aRepeatThatMovesTheEndIsReported() {
        granted(1, 1, 100);
        add(1.5, 1, 1, What.SERVER_GRANTED, 100, 4.5, "id-1");
        released(2, 1);

        breaks(Rule.C6, "a repeat of op 1 moved the end of its hold");
    }

    @Test
    void whatIsLeftAtTheEndIsReported() {
        history.add(new Entry(nanos(9), -1, -1, What.LEFT_BEHIND, LOCK, "", 0, 0, "key never expires"));

        breaks(Rule.C7, "key never expires");
    }

    @Test
    void aHoldThatLastsTooLongIsReported() {
        granted(1, 1, 100);
        add(1.5, 1, 1, What.TOO_LONG, 0, 0, "id-1");
        released(2, 1);

        breaks(Rule.C7, "the hold of op 1 excludes others for longer than any caller was promised");
    }

    @Test
    void anAcquisitionThatNeverEndsIsReported() {
        add(1, 1, 1, What.INVOKED, 0, 0, "");
        history.add(Entry.of(nanos(4), -1, What.HEALED, 0, ""));
        history.add(Entry.of(nanos(9), -1, What.ENDED, 0, ""));

        breaks(Rule.C7, "op 1 never ended");
    }

    @Test
    void aWaitBeyondItsTimeIsReportedUnlessTheProcessStood() {
        add(1, 1, 1, What.INVOKED, 0, 2, "");
        add(2.5, 1, 1, What.BUSY, 0, 0, "");
        breaks(Rule.C8, "op 1 waited 500 ms longer than it may");

        history.add(Entry.of(nanos(1.5), 1, What.STOPPED, nanos(2.4), ""));
        assertThat(verdict().violations()).isEmpty();
    }

    /** Waits from a position of a fair queue until it is granted. */
    private void served(double requested, double at, int op, long place) {
        add(requested, op, op, What.INVOKED, 0, 0, "fair");
        add(requested, op, op, What.SERVER_QUEUED, place, 0, "id-" + op);
        add(at, op, op, What.SERVER_GRANTED, 100 + op, at + 3, "id-" + op);
        add(at, op, op, What.GRANTED, 100 + op, at + 2.9, "");
        released(at + 0.1, op);
    }

    @Test
    void anOvertakingInAFairQueueIsReported() {
        add(20, 1, 1, What.INVOKED, 0, 0, "fair");
        add(20, 1, 1, What.SERVER_QUEUED, 1, 0, "id-1");
        served(20.001, 20.002, 2, 2);
        add(20.2, 1, 1, What.CANCELLED, 0, 0, "");

        breaks(Rule.C8, "op 2 at position 2 of the fair queue was granted before op 1 at 1");

        fault(15, 0, 16, "SERVER_PAUSED");
        assertThat(verdict().violations()).isEmpty();
    }

    @Test
    void anOvertakingOfAFairQueueWithoutAPositionIsReported() {
        add(20, 1, 1, What.INVOKED, 0, 0, "fair");
        add(20, 1, 1, What.SERVER_QUEUED, 1, 0, "id-1");
        add(20.001, 2, 2, What.INVOKED, 0, 0, "fair");
        add(20.002, 2, 2, What.SERVER_GRANTED, 102, 23, "id-2");
        add(20.002, 2, 2, What.GRANTED, 102, 22.9, "");
        released(20.1, 2);
        add(20.2, 1, 1, What.CANCELLED, 0, 0, "");

        breaks(Rule.C8, "was granted before op 1 at 1");
    }

    @Test
    void aFairQueueThatIsServedInItsOrderIsWell() {
        served(20, 20.01, 1, 1);
        served(20.2, 20.3, 2, 2);
        add(20.4, 3, 3, What.INVOKED, 0, 0, "fair");
        add(20.4, 3, 3, What.SERVER_QUEUED, 3, 0, "id-3");
        add(20.5, 3, 3, What.CANCELLED, 0, 0, "");
        served(20.6, 20.7, 4, 4);

        assertThat(verdict().violations()).isEmpty();
    }

    /** At 20 s a long hold ends, and client 1 is the first of the queue; at 20.01 s client 2 is granted the lock. */
    private void overtaken() {
        history.add(new Entry(nanos(20), 1, -1, What.SERVER_RESERVED, LOCK, "", 7, nanos(20.05), ""));
        granted(20.01, 2, 102);
        released(20.1, 2);
    }

    @Test
    void anOvertakingAfterALongHoldIsReported() {
        overtaken();
        breaks(Rule.C8, "was granted before client 1, the first of the queue at position 7");

        fault(15, 0, 16, "SERVER_PAUSED");
        assertThat(verdict().violations()).isEmpty();
    }

    @Test
    void anOvertakingOfAGoneWaiterIsAllowed() {
        history.add(Entry.of(nanos(19), 1, What.CRASHED, 0, ""));
        overtaken();

        assertThat(verdict().violations()).isEmpty();
    }

    @Test
    void aGrantAfterTheReservationIsAllowed() {
        history.add(new Entry(nanos(10), 1, -1, What.SERVER_RESERVED, LOCK, "", 7, nanos(10.05), ""));
        granted(10.05, 2, 102);
        released(10.1, 2);
        history.add(new Entry(nanos(20), 1, -1, What.SERVER_RESERVED, LOCK, "", 8, nanos(20.05), ""));
        history.add(new Entry(nanos(20.001), -1, -1, What.SERVER_LEFT, LOCK, "", 0, 0, ""));
        granted(20.01, 3, 103);
        released(20.1, 3);

        assertThat(verdict().violations()).isEmpty();
    }

    @Test
    void aLeaseThatWasHandedALostHoldIsExcusedAsTheOneThatHandedIt() {
        granted(1, 1, 100);
        fault(1.1, 0, 1.1, "EVICTION");
        add(1.15, 2, 2, What.INVOKED, 0, 0, "");
        granted(1.2, 3, 102);
        add(1.25, 1, 1, What.RELEASE_INVOKED, 0, 0, "");
        add(1.25, 1, 1, What.RELEASED, 0, 0, "");
        add(1.25, 1, 2, What.SERVER_GRANTED, 101, 4, "id-1");
        add(1.25, 1, 2, What.GRANTED, 101, 3.9, "");

        assertThat(verdict().violations())
                .noneSatisfy(violation -> assertThat(violation.rule()).isIn(Rule.C1, Rule.C2));
    }

    @Test
    void aHoldOfARefusedAcquisitionIsReported() {
        add(1, 1, 1, What.INVOKED, 0, 0, "");
        add(1, 1, 1, What.SERVER_GRANTED, 100, 4, "id-1");
        add(1.1, 1, 1, What.UNAVAILABLE, 0, 0, "not");
        add(1.2, 1, 1, What.SERVER_RELEASED, 0, 0, "id-1");

        breaks(Rule.C9, "reported to hold nothing, and holds");
    }

    @Test
    void aHoldOfABusyAcquisitionIsReportedUnlessAnEarlierAttemptMayHaveArrivedLate() {
        add(1, 1, 1, What.INVOKED, 0, 0, "");
        add(1, 1, 1, What.SERVER_GRANTED, 100, 4, "id-1");
        add(1.1, 1, 1, What.BUSY, 0, 0, "");
        add(1.2, 1, 1, What.SERVER_RELEASED, 0, 0, "id-1");
        breaks(Rule.C9, "reported to hold nothing, and holds");

        fault(1.05, 0, 1.07, "SERVER_PAUSED");
        assertThat(verdict().violations()).isEmpty();
    }

    @Test
    void anUndeliveredAndUnreleasedHoldIsReported() {
        add(1, 1, 1, What.INVOKED, 0, 0, "");
        add(1, 1, 1, What.SERVER_GRANTED, 100, 4, "id-1");
        add(1.1, 1, 1, What.UNAVAILABLE, 0, 0, "maybe");
        assertThat(verdict().violations()).as("it may still be").isEmpty();
        history.add(Entry.of(nanos(3), -1, What.ENDED, 0, ""));

        breaks(Rule.C9, "was granted, has no holder, and is not released");
    }
}
