package dev.leasehold.simulation.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The rules of replicas and quorums report their planted violations. */
class ServersTest {

    private static final long SECOND = 1_000_000_000;
    private static final String LOCK = "lock-0";

    private final History history = new History();
    private int servers = 1;

    private static long nanos(double seconds) {
        return Math.round(seconds * SECOND);
    }

    private void add(double at, int client, What what, long token, double until, String note) {
        history.add(new Entry(nanos(at), client, client, what, LOCK, "", token, nanos(until), note));
    }

    private void fault(double at, String server, String kind, double until) {
        history.add(new Entry(nanos(at), -1, -1, What.FAULT, "", server, 0, nanos(until), kind));
    }

    private Verdict verdict() {
        return Checker.check(history, new Setting(SECOND / 2, 2 * SECOND, 0, false, servers));
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

    /** Client 1 waits for the replica, and Redis grants it the lock. */
    private void awaitsReplica() {
        add(1, 1, What.INVOKED, 0, 3, "");
        add(1, 1, What.AWAITS_REPLICA, 0, 0, "");
        add(1.1, 1, What.SERVER_GRANTED, 7, 3, "a");
    }

    @Test
    void aLeaseThatTheReplicaHasIsAllowed() {
        awaitsReplica();
        add(1.2, 1, What.REPLICATED, 0, 3, "a");
        add(1.3, 1, What.GRANTED, 7, 2.9, "");
        isWell(Rule.C15);
    }

    @Test
    void aLeaseBeforeTheReplicaHasItIsReported() {
        awaitsReplica();
        add(1.2, 1, What.GRANTED, 7, 2.9, "");
        add(1.3, 1, What.REPLICATED, 0, 3, "a");
        breaks(Rule.C15, "the replica has it until 0 ms");
    }

    @Test
    void afterAStepBackOfTheClockTheReplicaHasItForLonger() {
        awaitsReplica();
        add(1.2, 1, What.REPLICATED, 0, 3, "a");
        add(1.3, 1, What.GRANTED, 7, 2.9, "");
        history.add(new Entry(nanos(1.4), -1, -1, What.FAULT, "", "", nanos(-2), nanos(1.4), "CLOCK_BACK"));
        add(2.1, 1, What.HELD, 0, 3.9, "");
        assertThat(verdict().violations())
                .filteredOn(one -> one.rule() == Rule.C15)
                .isEmpty();
        assertThat(verdict().waived(Rule.C15)).isPositive();
    }

    @Test
    void aRenewalThatTheReplicaHasNotIsReported() {
        awaitsReplica();
        add(1.2, 1, What.REPLICATED, 0, 3, "a");
        add(1.3, 1, What.GRANTED, 7, 2.9, "");
        add(2, 1, What.SERVER_RENEWED, 0, 4, "a");
        add(2.1, 1, What.HELD, 0, 3.9, "");
        breaks(Rule.C15, "the replica has it until 3000 ms");
    }

    @Test
    void aLeaseThatAFailoverToItsReplicaLosesIsReported() {
        awaitsReplica();
        add(1.2, 1, What.REPLICATED, 0, 3, "a");
        add(1.3, 1, What.GRANTED, 7, 2.9, "");
        fault(1.4, "", "FAIL_OVER_TO_REPLICA", 1.5);
        add(1.4, 1, What.SERVER_GONE, 0, 0, "a");
        add(1.6, 1, What.HELD, 0, 2.9, "");
        breaks(Rule.C2, "reports held until 2900 ms");
    }

    @Test
    void aLeaseThatAFailoverToAnotherReplicaLosesIsDeclared() {
        awaitsReplica();
        add(1.2, 1, What.REPLICATED, 0, 3, "a");
        add(1.3, 1, What.GRANTED, 7, 2.9, "");
        fault(1.4, "", "FAIL_OVER_LAGGING", 1.5);
        add(1.4, 1, What.SERVER_GONE, 0, 0, "a");
        add(1.6, 1, What.HELD, 0, 2.9, "");
        isWell(Rule.C15);
        assertThat(verdict().waived(Rule.C2)).isPositive();
    }

    /** Two of three servers grant a client the lock, by its token. */
    private void majorityGrants(double at, int client, long token, int one, int other) {
        servers = 3;
        String attempt = "try of " + client;
        add(at, client, What.INVOKED, 0, at + 1, "");
        add(at + 0.1, client, What.QUORUM_GRANTED, one, 0, attempt);
        add(at + 0.1, client, What.QUORUM_GRANTED, other, 0, attempt);
        add(at + 0.1, client, What.SERVER_GRANTED, 0, at + 2, attempt);
        add(at + 0.2, client, What.GRANTED, token, at + 1.9, MajorityRule.RENEWED);
    }

    private void released(double at, int client) {
        add(at, client, What.RELEASE_INVOKED, 0, 0, "");
        add(at, client, What.RELEASED, 0, 0, "");
    }

    @Test
    void twoMajoritiesAreReportedAlthoughAServerRestartedEmpty() {
        majorityGrants(1, 1, 7, 0, 1);
        fault(1.4, "1", "RESTART_WITHOUT_DATA", 1.5);
        majorityGrants(1.5, 2, 8, 1, 2);
        breaks(Rule.C1, "both claim it");
    }

    @Test
    void twoMajoritiesThroughAServerThatCannotKnowItsLossAreDeclared() {
        majorityGrants(1, 1, 7, 0, 1);
        fault(1.4, "1", "CLOCK_FORWARD", 1.4);
        majorityGrants(1.5, 2, 8, 1, 2);
        assertThat(verdict().violations()).isEmpty();
        assertThat(verdict().waived(Rule.C1)).isPositive();
    }

    @Test
    void twoMajoritiesWithoutThatServerAreReported() {
        majorityGrants(1, 1, 7, 0, 1);
        fault(1.4, "2", "CLOCK_FORWARD", 1.4);
        majorityGrants(1.5, 2, 8, 0, 1);
        breaks(Rule.C1, "both claim it");
    }

    @Test
    void aMajorityOfServersThatDoNotCountIsReported() {
        majorityGrants(1, 1, 7, 0, 1);
        fault(1.4, "1", "CLOCK_FORWARD", 1.4);
        add(1.5, 2, What.INVOKED, 0, 2.5, "");
        add(1.6, 2, What.QUORUM_GRANTED, 1, 0, "try of 2");
        add(1.6, 2, What.SERVER_GRANTED, 0, 3, "try of 2");
        add(1.7, 2, What.GRANTED, 8, 2.9, "");
        breaks(Rule.C1, "both claim it");
    }

    @Test
    void aTokenOfAQuorumThatIsNotAboveTheLastIsReported() {
        majorityGrants(1, 1, 7, 0, 1);
        released(1.5, 1);
        majorityGrants(2, 2, 7, 1, 2);
        released(2.5, 2);
        breaks(Rule.C4, "op 2 got 7 after op 1 had got 7");
    }

    @Test
    void aLeaseThatIsLostWithAMinorityIsReported() {
        majorityGrants(1, 1, 7, 0, 1);
        add(3, 1, What.SERVER_RENEWED, 0, 6, "try of 1");
        fault(4, "1", "RESTART_WITHOUT_DATA", 4.1);
        add(4.5, 1, What.LOST, 0, 0, "EXPIRED");
        breaks(Rule.C16, "only a minority of the servers was struck");
    }

    @Test
    void aLeaseThatIsLostWithAMajorityIsAllowed() {
        majorityGrants(1, 1, 7, 0, 1);
        add(3, 1, What.SERVER_RENEWED, 0, 6, "try of 1");
        fault(4, "1", "RESTART_WITHOUT_DATA", 4.1);
        fault(4, "0", "RESTART_WITHOUT_DATA", 4.1);
        add(4.5, 1, What.LOST, 0, 0, "EXPIRED");
        assertThat(verdict().violations()).isEmpty();
    }

    @Test
    void anAcquisitionThatFindsNoMajorityAfterAllFaultsIsReported() {
        servers = 3;
        history.add(Entry.of(nanos(1), -1, What.HEALED, 0, ""));
        add(9, 1, What.INVOKED, 0, 11, "");
        add(9.1, 1, What.UNAVAILABLE, 0, 0, "not");
        breaks(Rule.C16, "found no majority");
    }
}
