package dev.leasehold.drill.scenario;

import dev.leasehold.drill.judge.Expectation;
import dev.leasehold.drill.site.Load;
import java.util.List;

/** All scenarios, in the order of a drill. */
public final class Scenarios {

    static final String UNAVAILABLE = "LeaseholdUnavailable";
    private static final String RENEWALS_FAIL = "LeaseholdRenewalsFail";
    private static final String RENEWAL_LATE = "LeaseholdRenewalLate";
    private static final String LEASE_LOST = "LeaseholdLeaseLost";
    private static final String NOBODY = "LeaseholdNobodyAcquires";

    /** The answer to a request that finds Redis unavailable. */
    private static final String UNAVAILABLE_NOW = "503";

    /**
     * What an instance may log of a fault, however long it lasts: one line as it begins and one of another attempt for each of about ten
     * connections, kinds of requests, and leases, and some of Lettuce. Several times what was seen, and far below one for each request.
     */
    private static final int LINES = 40;

    private Scenarios() {}

    /**
     * Returns all scenarios.
     *
     * @return in the order of a drill
     */
    public static List<Scenario> all() {
        return List.of(
                steady(),
                rollingRestart(),
                kill(),
                freeze(),
                failOver(),
                primaryKilled(),
                noRedis(),
                connectionsKilled(),
                slowServer(),
                fullMemory(),
                rightRemoved(),
                passwordRotated());
    }

    /**
     * Returns a scenario.
     *
     * @param name of it
     * @return the scenario
     * @throws IllegalArgumentException if there is none of this name
     */
    public static Scenario named(String name) {
        return all().stream()
                .filter(scenario -> scenario.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no scenario \"" + name + "\", but "
                        + all().stream().map(Scenario::name).toList()));
    }

    private static Scenario steady() {
        return new Scenario(
                "steady",
                "Nothing happens.",
                "The control: whatever is seen here, no fault caused.",
                Expectation.calm(),
                Faults::none);
    }

    private static Scenario rollingRestart() {
        return new Scenario(
                "rolling-restart",
                "Each instance in turn leaves the load balancer, gets SIGTERM in the middle of a request that holds a lock, and starts again.",
                "A shutdown finishes requests and releases all locks, so nobody waits for the end of a lease.",
                Expectation.calm(),
                Faults::rollingRestart);
    }

    private static Scenario kill() {
        return new Scenario(
                "kill",
                "An instance is killed (SIGKILL) and started again.",
                "Requests in flight to it get no answer. Its locks are busy until their leases end; the other locks are acquired.",
                Expectation.calm().answering(Load.NO_ANSWER),
                Faults::kill);
    }

    private static Scenario freeze() {
        return new Scenario(
                "freeze",
                "An instance is stopped (SIGSTOP) for 2 s longer than a lease, and continues.",
                "Its leases end, and it reports each loss when it continues. Requests that were in flight to it get late answers or none.",
                Expectation.calm()
                        .answering(Load.NO_ANSWER, UNAVAILABLE_NOW, "500")
                        .firing(LEASE_LOST)
                        .perhapsFiring(RENEWALS_FAIL, RENEWAL_LATE, UNAVAILABLE)
                        .unhealthyMeanwhile()
                        .logging(LINES),
                Faults::freeze);
    }

    private static Scenario failOver() {
        return new Scenario(
                "failover",
                "An operator replaces the primary by a replica (SENTINEL FAILOVER).",
                "The former primary accepts writes until it is demoted, and these are lost: leases with them.",
                Expectation.calm()
                        .answering(UNAVAILABLE_NOW, "500")
                        .perhapsFiring(UNAVAILABLE, RENEWALS_FAIL, RENEWAL_LATE, LEASE_LOST)
                        .unhealthyMeanwhile()
                        .logging(LINES),
                Faults::failOver);
    }

    private static Scenario primaryKilled() {
        return new Scenario(
                "primary-killed",
                "The primary is killed; Sentinel replaces it after 6 s and an election; it returns as a replica.",
                "Requests wait for 4 s, less than the outage, and fail. Renewals fail and are repeated; leases of 15 s outlast the outage,"
                        + " unless the replica lacked the last writes.",
                Expectation.calm()
                        .answering(UNAVAILABLE_NOW, "500")
                        .firing(UNAVAILABLE)
                        .perhapsFiring(RENEWALS_FAIL, RENEWAL_LATE, LEASE_LOST)
                        .unhealthyMeanwhile()
                        .logging(LINES),
                Faults::killPrimary);
    }

    private static Scenario noRedis() {
        return new Scenario(
                "no-redis",
                "All servers are killed, and start again with their data 20 s later.",
                "The outage is longer than the leases: all are lost, after renewals have failed.",
                Expectation.calm()
                        .answering(UNAVAILABLE_NOW, "500")
                        .firing(UNAVAILABLE, RENEWALS_FAIL, LEASE_LOST)
                        .perhapsFiring(RENEWAL_LATE, NOBODY)
                        .unhealthyMeanwhile()
                        .logging(LINES),
                Faults::noRedis);
    }

    private static Scenario connectionsKilled() {
        return new Scenario(
                "connections-killed",
                "All connections of the user are closed (CLIENT KILL).",
                "Requests in flight are repeated over new connections. A renewal that was in flight counts as failed, and is repeated, too.",
                Expectation.calm().perhapsFiring(RENEWALS_FAIL).logging(LINES),
                Faults::killConnections);
    }

    private static Scenario slowServer() {
        return new Scenario(
                "slow-server",
                "The primary answers nothing for 4.8 s (DEBUG SLEEP).",
                "Longer than requests wait, 4 s; shorter than leases and than Sentinel's limit.",
                Expectation.calm()
                        .answering(UNAVAILABLE_NOW)
                        .perhapsFiring(UNAVAILABLE, RENEWALS_FAIL, RENEWAL_LATE)
                        .firingAfterLongOutage(LEASE_LOST)
                        .unhealthyMeanwhile()
                        .logging(LINES),
                Faults::slowServer);
    }

    private static Scenario fullMemory() {
        return new Scenario(
                "full-memory",
                "The primary has no memory left (maxmemory) until the alert fires and health is DOWN.",
                "New locks are refused. Held ones are renewed and released, so none is lost.",
                Expectation.calm()
                        .answering(UNAVAILABLE_NOW)
                        .firing(UNAVAILABLE)
                        .perhapsFiring(NOBODY)
                        .unhealthyMeanwhile()
                        .logging(LINES),
                Faults::fullMemory);
    }

    private static Scenario rightRemoved() {
        return new Scenario(
                "right-removed",
                "The user loses the right to PEXPIREAT until the alert fires and health is DOWN.",
                "Scripts that set an expiry are refused: acquisitions and renewals. Leases last for as long as they have been renewed.",
                Expectation.calm()
                        .answering(UNAVAILABLE_NOW)
                        .firing(UNAVAILABLE)
                        .perhapsFiring(RENEWALS_FAIL, RENEWAL_LATE, NOBODY)
                        .firingAfterLongOutage(LEASE_LOST)
                        .unhealthyMeanwhile()
                        .withDenials()
                        .logging(LINES),
                Faults::removeRight);
    }

    private static Scenario passwordRotated() {
        return new Scenario(
                "password-rotated",
                "The password is replaced, in the order of docs/credentials.md, and all connections are closed.",
                "New connections use the new password. Otherwise as connections-killed.",
                Expectation.calm().perhapsFiring(RENEWALS_FAIL).logging(LINES),
                Faults::rotatePassword);
    }
}
