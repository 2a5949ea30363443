package dev.leasehold.simulation.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The rules of latches, elections, resumed leases and release requests report their planted violations. */
class KindsTest {

    private static final long SECOND = 1_000_000_000;
    private static final String LATCH = Entry.LATCH + 0;
    private static final String ELECTION = Entry.ELECTION + 0;
    private static final String LOCK = "lock-0";

    private final History history = new History();

    private static long nanos(double seconds) {
        return Math.round(seconds * SECOND);
    }

    private void add(double at, int client, int op, What what, String lock, long token, double until, String note) {
        history.add(new Entry(nanos(at), client, op, what, lock, "", token, nanos(until), note));
    }

    private void set(double at, String by, long count, double until) {
        history.add(new Entry(nanos(at), -1, -1, What.SERVER_SET, LATCH, by, count, nanos(until), by));
    }

    private void counted(double at, String id, long left) {
        counted(at, id, left, at + 1);
    }

    private void counted(double at, String id, long left, double notAfter) {
        add(at, -1, -1, What.SERVER_COUNTED, LATCH, left, notAfter, id);
    }

    /** A latch is set, and client 1 counts it down, for which it may wait half a second. */
    private void countsDown() {
        set(1, "a", 3, 9);
        add(1.1, 1, 1, What.INVOKED, LATCH, 0, 1.6, "n:x");
    }

    private void await(double at, int op) {
        add(at, op, op, What.INVOKED, LATCH, 0, 0, "LATCH_AWAIT");
    }

    private void ended(double at) {
        history.add(Entry.of(nanos(at), -1, What.ENDED, 0, ""));
    }

    private Verdict verdict() {
        return Checker.check(history, new Setting(SECOND / 2, 2 * SECOND, 0, false));
    }

    private void breaks(Rule rule, String text) {
        assertThat(verdict().violations()).isNotEmpty().allSatisfy(violation -> {
            assertThat(violation.rule()).isEqualTo(rule);
            assertThat(violation.toString()).contains(text);
        });
    }

    private void isWell(Rule rule) {
        assertThat(verdict().violations()).isEmpty();
        assertThat(verdict().judged(rule)).isPositive();
    }

    @Test
    void aPassWhenAllHaveCountedDownIsAllowed() {
        set(1, "a", 2, 9);
        await(1.1, 1);
        counted(1.2, "n:x", 1);
        counted(1.3, "n:x", 1);
        counted(1.4, "n:y", 0);
        add(1.5, 1, 1, What.PASSED, LATCH, 0, 0, "");
        isWell(Rule.C10);
    }

    @Test
    void aPassThatIsTooEarlyIsReported() {
        set(1, "a", 2, 9);
        await(1.1, 1);
        counted(1.2, "n:x", 1);
        add(1.5, 1, 1, What.PASSED, LATCH, 0, 0, "");
        breaks(Rule.C10, "let op 1 through before its count was down");
    }

    @Test
    void aPassOfAGoneLatchIsReported() {
        set(1, "a", 1, 2);
        counted(1.2, "n:x", 0);
        set(3, "b", 1, 9);
        await(3.1, 1);
        add(3.2, 1, 1, What.PASSED, LATCH, 0, 0, "");
        breaks(Rule.C10, "let op 1 through before its count was down");
    }

    @Test
    void aCountDownThatCountsTwice() {
        set(1, "a", 3, 9);
        counted(1.2, "n:x", 2);
        counted(1.3, "n:x", 1);
        breaks(Rule.C10, "has 1 left and not 2 after 1 count-downs");
    }

    @Test
    void aCountDownThatWasReportedAsNotMadeIsReported() {
        countsDown();
        add(1.3, 1, 1, What.UNAVAILABLE, LATCH, 0, 0, "not");
        counted(1.4, "n:x", 2);
        breaks(Rule.C10, "by a call that was refused");
    }

    @Test
    void aLateCountDownIsReported() {
        countsDown();
        add(1.6, 1, 1, What.UNAVAILABLE, LATCH, 0, 0, "maybe");
        counted(2.4, "n:x", 2);
        breaks(Rule.C10, "by a copy that arrived too late");
    }

    @Test
    void aCopyThatIsCountedAfterItsTime() {
        countsDown();
        counted(1.5, "n:x", 2, 1.4);
        breaks(Rule.C10, "by a copy that arrived too late");
    }

    @Test
    void aSuspendedMachineExtendsTheWait() {
        countsDown();
        add(1.2, 1, -1, What.CLOCKS_JUMPED, "", 0, 1.9, "suspended");
        counted(2.2, "n:x", 2);
        isWell(Rule.C10);
    }

    @Test
    void lateRequestsMakeTheEstimateOfRedisClockAhead() {
        set(1, "a", 3, 9);
        add(0.5, 1, -1, What.FAULT, "", 0, 0.9, "REQUEST_DELAYED");
        add(1.1, 1, 1, What.INVOKED, LATCH, 0, 1.6, "n:x");
        counted(2.2, "n:x", 2);
        isWell(Rule.C10);
    }

    @Test
    void aCountDownTooLateForASuspendedCallerIsReported() {
        countsDown();
        add(1.2, 1, -1, What.CLOCKS_JUMPED, "", 0, 1.9, "suspended");
        counted(2.5, "n:x", 2);
        breaks(Rule.C10, "by a copy that arrived too late");
    }

    @Test
    void aSecondSetOfAnExistingLatchIsReported() {
        set(1, "a", 3, 9);
        set(2, "a", 3, 9);
        assertThat(verdict().violations()).isEmpty();
        set(3, "b", 3, 9);
        breaks(Rule.C10, "was set again while it existed");
    }

    @Test
    void aWaiterThatDoesNotLearnThatALatchIsReachedOrGoneIsReported() {
        set(10, "a", 1, 14);
        await(10.1, 1);
        counted(11, "n:x", 0);
        add(11.5, 1, 1, What.PASSED, LATCH, 0, 0, "");
        breaks(Rule.C10, "op 1 waited for 500 ms though nothing is left");
    }

    @Test
    void aFalseAnswerThatALatchDoesNotExistIsReported() {
        set(1, "a", 2, 9);
        await(1.1, 1);
        add(1.2, 1, 1, What.ABSENT, LATCH, 0, 0, "");
        breaks(Rule.C10, "op 1 got the answer that it does not");
    }

    @Test
    void aLatchThatRedisHasLostDoesNotExist() {
        set(1, "a", 2, 9);
        await(1.1, 1);
        history.add(new Entry(nanos(1.15), -1, -1, What.FAULT, "", "", 0, nanos(1.15), "RESTART_WITHOUT_DATA"));
        add(1.15, -1, -1, What.SERVER_KNOWN, LATCH, 0, 0, "");
        add(1.2, 1, 1, What.ABSENT, LATCH, 0, 0, "");
        assertThat(verdict().violations()).isEmpty();
    }

    private void elected(double at, int client, int op, long candidate, long token) {
        add(at, client, op, What.SERVER_GRANTED, ELECTION, token, at + 3, "id-" + op);
        add(at, client, op, What.ELECTED, ELECTION, candidate, 0, "");
        add(at, client, op, What.GRANTED, ELECTION, token, at + 2.9, "");
    }

    private void demoted(double at, int client, int op, long candidate) {
        add(at, client, op, What.DEMOTED, ELECTION, candidate, 0, "RESIGNED");
        add(at, client, op, What.RELEASE_INVOKED, ELECTION, 0, 0, "");
    }

    private void released(double at, int client, int op) {
        add(at, client, op, What.SERVER_RELEASED, ELECTION, 0, 0, "id-" + op);
    }

    private void isCandidate(double at, int client, long candidate) {
        add(at, client, -1, What.CANDIDACY_BEGINS, ELECTION, candidate, 0, "");
    }

    @Test
    void oneLeadsAfterTheOther() {
        isCandidate(20, 1, 1);
        isCandidate(20, 2, 2);
        elected(20.1, 1, 1, 1, 100);
        demoted(21, 1, 1, 1);
        released(21.1, 1, 1);
        elected(21.2, 2, 2, 2, 200);
        ended(22);
        isWell(Rule.C11);
    }

    @Test
    void aDemotionAfterOthersMayLeadIsReported() {
        isCandidate(20, 1, 1);
        elected(20.1, 1, 1, 1, 100);
        released(20.9, 1, 1);
        demoted(21, 1, 1, 1);
        breaks(Rule.C11, "is notified of the end of op 1 after Redis let others lead");
    }

    @Test
    void twoTermsAtOnceAreReported() {
        isCandidate(20, 1, 1);
        elected(20.1, 1, 1, 1, 100);
        add(20.2, 1, 2, What.ELECTED, ELECTION, 1, 0, "");
        breaks(Rule.C11, "is notified that it leads by op 2 before the end of op 1");
    }

    @Test
    void aSecondDemotionIsReported() {
        isCandidate(20, 1, 1);
        elected(20.1, 1, 1, 1, 100);
        demoted(21, 1, 1, 1);
        demoted(21.1, 1, 1, 1);
        breaks(Rule.C11, "is notified of the end of op 1, by which it does not lead");
    }

    @Test
    void aVacancyDespiteACandidateIsReported() {
        isCandidate(20, 1, 1);
        ended(21);
        breaks(Rule.C11, "there was no leader for 1000 ms though candidate 1 of client 1 stood");
    }

    /** Operation 1 of client 1 holds, and its lease is renewed at least every second. */
    private void held() {
        add(10, 1, 1, What.INVOKED, LOCK, 0, 0, "");
        add(10, 1, 1, What.SERVER_GRANTED, LOCK, 100, 13, "id-1");
        add(10, 1, 1, What.GRANTED, LOCK, 100, 12.9, "");
        add(10, 1, 1, What.LISTENS, LOCK, 0, 1, "");
    }

    private void taken(double at, int op, long token) {
        add(at, 2, op, What.INVOKED, LOCK, 0, 0, "");
        add(at, 2, op, What.SERVER_GRANTED, LOCK, token, at + 3, "id-" + op);
        add(at, 1, 1, What.SERVER_RESUMED, LOCK, token, 0, "id-1");
        add(at, 2, op, What.GRANTED, LOCK, token, at + 2.9, "");
    }

    @Test
    void aResumedLeaseIsHeldAtOnce() {
        held();
        add(10.5, 1, 1, What.EXPORTED, LOCK, 0, 1, "");
        taken(10.6, 2, 200);
        add(10.7, 1, 1, What.HELD, LOCK, 0, 12.9, "");
        add(11, 1, 1, What.LOST, LOCK, 0, 0, "TAKEN_OVER");
        ended(13);
        isWell(Rule.C12);
    }

    @Test
    void aLeaseThatIsTakenOverTwice() {
        held();
        add(10.5, 1, 1, What.EXPORTED, LOCK, 0, 0, "");
        taken(10.6, 2, 200);
        add(10.7, 1, 1, What.SERVER_RESUMED, LOCK, 300, 0, "id-1");
        breaks(Rule.C12, "was resumed twice");
    }

    @Test
    void aLeaseThatIsConfirmedAfterItWasTakenOver() {
        held();
        add(10.5, 1, 1, What.EXPORTED, LOCK, 0, 0, "");
        taken(10.6, 2, 200);
        add(10.7, 1, 1, What.SERVER_RENEWED, LOCK, 0, 13, "id-1");
        breaks(Rule.C12, "was confirmed after it had been resumed");
    }

    @Test
    void aResumeWithoutAnExportIsReported() {
        held();
        taken(10.6, 2, 200);
        breaks(Rule.C12, "its holder had not exported it");
    }

    @Test
    void aMissingNotificationOfAResumeIsReported() {
        held();
        add(10.5, 1, 1, What.EXPORTED, LOCK, 0, 1, "");
        taken(10.6, 2, 200);
        add(12.5, 1, 1, What.LOST, LOCK, 0, 0, "TAKEN_OVER");
        ended(13);
        breaks(Rule.C12, "its holder was not notified");
    }

    @Test
    void aReleaseRequestIsReceivedOnce() {
        held();
        add(10.5, 1, 1, What.SERVER_REQUESTED, LOCK, 0, 0, "id-1");
        add(10.8, 1, 1, What.REQUESTED, LOCK, 0, 0, "");
        ended(13);
        isWell(Rule.C13);
        add(11.8, 1, 1, What.REQUESTED, LOCK, 0, 0, "");
        breaks(Rule.C13, "op 1 received a release request twice");
    }

    @Test
    void aMissingReleaseRequestIsReported() {
        held();
        add(10.5, 1, 1, What.SERVER_REQUESTED, LOCK, 0, 0, "id-1");
        add(12.5, 1, 1, What.REQUESTED, LOCK, 0, 0, "");
        ended(12.8);
        breaks(Rule.C13, "did not receive the release request");
    }

    private void mayMissARequestForAnEarlierHold(long token, String id) {
        add(8, 1, 1, What.SERVER_GRANTED, LOCK, token, 9.5, id);
        add(9, 1, 1, What.SERVER_REQUESTED, LOCK, 0, 0, id);
        held();
        ended(13);
        assertThat(verdict().violations()).isEmpty();
    }

    @Test
    void aReleaseRequestForAHoldThatEndedBeforeItsGrantWasAnsweredReachesNobody() {
        mayMissARequestForAnEarlierHold(90, "id-0");
    }

    /** Permits have no tokens, by which the two could be told apart. */
    @Test
    void aReleaseRequestForAHoldThatEndedBeforeRedisGrantedAgainReachesNobody() {
        mayMissARequestForAnEarlierHold(100, "id-1");
    }

    @Test
    void aReleaseRequestForAnotherHoldIsReported() {
        add(9, 2, 2, What.SERVER_REQUESTED, LOCK, 0, 0, "id-2");
        held();
        add(10.8, 1, 1, What.REQUESTED, LOCK, 0, 0, "");
        breaks(Rule.C13, "op 1 received a release request for another hold");
    }
}
