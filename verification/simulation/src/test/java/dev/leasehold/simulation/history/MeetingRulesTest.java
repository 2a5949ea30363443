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
