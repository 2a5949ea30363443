package dev.leasehold.simulation.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * The rules for places where two features meet: each reports its planted violation, and reports nothing about a correct
 * history.
 */
class MeetingRulesTest {

    private static final long SECOND = 1_000_000_000;
    private static final String LOCK = "lock-0";

    private final History history = new History();

    private void add(
            double seconds, int client, int op, What what, String owner, long token, double until, String note) {
        history.add(new Entry(nanos(seconds), client, op, what, LOCK, owner, token, nanos(until), note));
    }

    private void fault(double seconds, int client, String kind) {
        history.add(Entry.of(nanos(seconds), client, What.FAULT, nanos(seconds), kind));
    }

    private static long nanos(double seconds) {
        return Math.round(seconds * SECOND);
    }

    private Verdict verdict() {
        return Checker.check(history, new Setting(SECOND / 2, 2 * SECOND, 0, false));
    }

    private void breaks(Rule rule, String text) {
        assertThat(verdict().violations())
                .anySatisfy(violation -> {
                    assertThat(violation.rule()).isEqualTo(rule);
                    assertThat(violation.toString()).contains(text);
                })
                .allSatisfy(violation -> assertThat(violation.rule()).isEqualTo(rule));
    }

    private void isWell(Rule rule) {
        assertThat(verdict().violations()).isEmpty();
        assertThat(verdict().judged(rule) + verdict().waived(rule)).isPositive();
    }

    /** Operation {@code op} of a client of the same number is granted for 3 s. */
    private void granted(double at, int op, String owner, long token, String id) {
        add(at, op, op, What.INVOKED, owner, 0, 0, "");
        add(at, op, op, What.SERVER_GRANTED, owner, token, at + 3, id);
        add(at, op, op, What.GRANTED, owner, token, at + 2.9, "");
    }

    private void forces(double at) {
        add(at, 1, 9, What.FORCES, "", 0, at + 0.5, "");
    }

    private void forced(double at) {
        add(at, -1, -1, What.SERVER_FORCED, "", 0, 0, "");
    }

    private void ended(double at) {
        add(at, -1, -1, What.ENDED, "", 0, 0, "");
    }

    @Test
    void aForcedReleaseInTimeIsAllowed() {
        forces(1);
        forced(1.4);
        isWell(Rule.C19);
    }

    @Test
    void aForcedReleaseAfterItsCallIsReported() {
        forces(1);
        forced(1.4);
        forced(4);
        breaks(Rule.C19, "by a call that had ended 2500 ms before");
    }

    @Test
    void aForcedReleaseMayBeLateIfTheClientMisjudgesTheClock() {
        history.add(new Entry(nanos(0.9), -1, -1, What.FAULT, "", "", -SECOND, nanos(0.9), "CLOCK_BACK"));
        forces(1);
        forced(4);
        isWell(Rule.C19);
    }

    private void permits(double at, long permits) {
        add(at, -1, -1, What.SERVER_CHANGED, "", 0, 0, "");
        add(at, -1, -1, What.SERVER_PERMITS, "", permits, 0, "");
    }

    @Test
    void aLateChangeOfTheNumberOfPermitsIsReported() {
        add(1, 1, 9, What.CHANGES_PERMITS, "", 4, 1.5, "");
        permits(1.4, 4);
        permits(4, 4);
        breaks(Rule.C19, "got another number of permits by a call that had ended 2500 ms before");
    }

    private void ofSemaphore(double at, int op, What what, long permits, double until) {
        history.add(new Entry(
                nanos(at), op, op, what, Entry.PERMITS + 0, Entry.HOLDERS, permits, nanos(until), "id-" + op));
    }

    private void permit(double at, int op) {
        ofSemaphore(at, op, What.INVOKED, 1, 0);
        ofSemaphore(at, op, What.SERVER_GRANTED, 1, at + 3);
        ofSemaphore(at, op, What.GRANTED, 1, at + 2.9);
    }

    @Test
    void morePermitsThanTheChangedNumberAreReported() {
        ofSemaphore(1, -1, What.SERVER_PERMITS, 2, 0);
        permit(1.1, 1);
        permit(1.2, 2);
        permit(1.3, 3);
        breaks(Rule.C1, "op 3 of client 3 and others claim 3 of 2 permits");
    }

    @Test
    void holdersKeepTheirPermitsWhenTheNumberBecomesLess() {
        permit(1.1, 1);
        permit(1.2, 2);
        permit(1.3, 3);
        ofSemaphore(1.5, -1, What.SERVER_PERMITS, 2, 0);
        ofSemaphore(1.6, 1, What.HELD, 0, 4);
        isWell(Rule.C1);
    }

    private void inVain(double at) {
        history.add(Entry.of(nanos(at), 1, What.ASKED_IN_VAIN, 0, "callers"));
    }

    private void reconnected(double at) {
        history.add(Entry.of(nanos(at), 1, What.RECONNECTED, 0, "callers"));
    }

    @Test
    void aSilentConnectionIsReplacedInTime() {
        inVain(1);
        inVain(2.5);
        reconnected(2.5);
        inVain(9);
        reconnected(9.5);
        isWell(Rule.C21);
    }

    @Test
    void aSilentConnectionThatIsReplacedLateIsReported() {
        inVain(1);
        inVain(2.4);
        reconnected(2.6);
        breaks(Rule.C21, "kept the connection of callers, which was silent for 1600 ms after a request");
    }

    @Test
    void aSilentConnectionThatIsNeverReplacedIsReported() {
        inVain(1);
        ended(4);
        breaks(Rule.C21, "kept the connection of callers, which was silent for 3000 ms after a request");
    }

    @Test
    void aClientThatIsClosedReplacesNoConnection() {
        inVain(1);
        history.add(Entry.of(nanos(1.2), 1, What.CLOSED, 0, ""));
        reconnected(3.8);
        ended(4);
        isWell(Rule.C21);
    }

    @Test
    void aProcessThatIsStoppedReplacesASilentConnectionLater() {
        inVain(1);
        history.add(Entry.of(nanos(1.1), 1, What.STOPPED, nanos(2), ""));
        inVain(2.6);
        reconnected(2.7);
        isWell(Rule.C21);
    }

    /** The hold of operation 1 is retained until 0.6 s after its grant, and operation 2 takes it over. */
    private void takesOverARetainedHold(double at) {
        granted(at, 1, "", 100, "id-1");
        add(at + 0.1, 1, 1, What.RELEASE_INVOKED, "", 0, 0, "");
        add(at + 0.1, 1, 1, What.SERVER_RENEWED, "", 0, at + 0.6, "id-1");
        add(at + 0.1, 1, 1, What.SERVER_RETAINED, "", 0, at + 0.6, "id-1");
        add(at + 0.1, 1, 1, What.RELEASED, "", 0, 0, "");
        add(at + 0.2, 1, 2, What.INVOKED, "", 0, 0, "");
        add(at + 0.2, 1, 2, What.SERVER_GRANTED, "", 101, at + 0.6, "id-1");
        add(at + 0.2, 1, 2, What.GRANTED, "", 101, at + 0.55, "");
    }

    /** Operation 2, which took over a retained hold, renews every second, and exports at 20.3 s. */
    private void exportsARetainedHold(double extended) {
        takesOverARetainedHold(20);
        add(20.25, 1, 2, What.SERVER_RENEWED, "", 0, extended, "id-1");
        add(20.3, 1, 2, What.EXPORTED, "", 0, 1, "");
        add(20.3, 1, 2, What.RELEASE_INVOKED, "", 0, 0, "");
        add(20.3, 1, 2, What.RELEASED, "", 0, 0, "");
        ended(24);
    }

    /** The client is asked for a hold that it retained and that operation 2 uses; operation 4 joins it a second later. */
    private void joinsAHoldThatTheClientWasAskedFor(boolean downgraded) {
        takesOverARetainedHold(1);
        add(1.3, 1, 2, What.SERVER_RENEWED, "", 0, 5, "id-1");
        add(1.3, 1, 2, What.SERVER_ASKED, "", 0, 0, "id-1");
        if (downgraded) {
            add(1.5, 1, 3, What.SERVER_SHARED, "readers", 102, 0, "id-1");
        }
        add(2.5, 1, 4, What.SERVER_GRANTED, "readers", 102, 5, "id-1");
        ended(6);
    }

    @Test
    void aHoldThatTheClientWasAskedForIsNotTakenOverAgain() {
        joinsAHoldThatTheClientWasAskedFor(false);
        assertThat(verdict().violations())
                .anySatisfy(violation -> assertThat(violation.rule()).isEqualTo(Rule.C14));
    }

    @Test
    void readersJoinTheHoldThatAWriterDowngraded() {
        joinsAHoldThatTheClientWasAskedFor(true);
        assertThat(verdict().violations()).noneMatch(violation -> violation.rule() == Rule.C14);
    }

    @Test
    void anExportExtendsAHoldThatWasRetained() {
        exportsARetainedHold(22.25);
        isWell(Rule.C12);
    }

    @Test
    void anExportOfAHoldThatSoonEndsIsReported() {
        exportsARetainedHold(20.6);
        breaks(Rule.C12, "was exported and lasts for 300 ms");
    }

    @Test
    void whatAForcedReleaseRemovedMayBeGrantedAgain() {
        granted(1, 1, "", 100, "id-1");
        forces(1.5);
        forced(1.6);
        add(1.6, 1, 1, What.SERVER_GONE, "", 0, 0, "id-1");
        granted(1.7, 2, "", 200, "id-2");
        assertThat(verdict().violations()).isEmpty();
        assertThat(verdict().waived(Rule.C1)).isPositive();
    }

    private void kept(double minimum) {
        granted(1, 1, "", 100, "id-1");
        add(1, 1, 1, What.HAS_MINIMUM, "", 0, minimum, "");
        add(1.2, 1, 1, What.RELEASE_INVOKED, "", 0, 0, "");
        add(1.2, 1, 1, What.SERVER_KEPT, "", 0, 1 + minimum, "id-1");
        add(1.2, 1, 1, What.RELEASED, "", 0, 0, "");
    }

    @Test
    void aGrantAfterTheMinimumHoldIsAllowed() {
        kept(1);
        granted(2.1, 2, "", 200, "id-2");
        isWell(Rule.C18);
    }

    @Test
    void aGrantBeforeTheEndOfAMinimumHoldIsReported() {
        kept(1);
        granted(1.5, 2, "", 200, "id-2");
        breaks(Rule.C18, "before the minimum hold of op 1 was over");
    }

    /** Its client has not learned yet that Redis, whose clock stepped forward, has given the lock to another. */
    @Test
    void aHandOffOfALostHoldDuringAMinimumHoldIsNotPromisedAway() {
        granted(0.5, 3, "", 90, "id-3");
        fault(0.8, -1, "CLOCK_FORWARD");
        kept(1);
        add(1.5, 3, 4, What.SERVER_GRANTED, "", 91, 3.5, "id-3");
        assertThat(verdict().violations()).noneMatch(violation -> violation.rule() == Rule.C18);
        assertThat(verdict().waived(Rule.C18)).isPositive();
    }

    @Test
    void aForcedReleaseEndsAMinimumHold() {
        kept(1);
        forces(1.3);
        forced(1.4);
        granted(1.5, 2, "", 200, "id-2");
        isWell(Rule.C18);
        assertThat(verdict().waived(Rule.C18)).isPositive();
    }

    @Test
    void aLossOfAHoldThatRedisHasIsReported() {
        granted(1, 1, "", 100, "id-1");
        add(2, 1, 1, What.LOST, "", 0, 0, "TAKEN_OVER");
        breaks(Rule.C3, "was reported as lost (TAKEN_OVER), and Redis holds it");
    }

    private void waits(String note) {
        add(1, 1, 1, What.INVOKED, "", 0, 0, note);
        add(1.1, 1, 1, What.SERVER_GRANTED, "", 100, 9, "id-1");
        fault(1.1, 1, "ANSWER_LOST");
    }

    @Test
    void aWaiterWhoseAnswerIsLostAsksAgain() {
        waits("woken");
        add(1.9, 1, 1, What.GRANTED, "", 100, 8.9, "");
        ended(8);
        isWell(Rule.C17);
    }

    @Test
    void aWaiterThatNeverLearnsOfItsGrantIsReported() {
        waits("woken");
        ended(8);
        breaks(Rule.C17, "op 1 was granted 1600 ms ago, and still waits");
    }

    @Test
    void aWaiterForSeveralLocksHoldsSomeOfThem() {
        waits(Entry.TOGETHER);
        ended(8);
        assertThat(verdict().violations()).isEmpty();
    }

    @Test
    void afterSeveralFaultsAWaiterMayLearnLate() {
        waits("woken");
        fault(1.5, 1, "ANSWER_LOST");
        ended(8);
        assertThat(verdict().violations()).isEmpty();
    }
}
