package dev.leasehold.diagnostics;

import dev.leasehold.Leasehold;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.inspect.Inspector;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Finds what endangers the locks of a client: settings of its servers, refusals, and deadlocks.
 *
 * <pre>{@code
 * for (Finding finding : Diagnostics.of(leasehold).findings()) {
 *     log.info("{} {}", finding.level(), finding.text());
 * }
 * }</pre>
 *
 * <p>Every method but {@link #lastFindings} and {@link #refusal} sends requests to Redis; its result may be outdated on arrival. Safe
 * for use by several threads.
 */
public interface Diagnostics {

    /**
     * Returns the diagnostics of a client. Nothing is sent.
     *
     * @param leasehold the client, or a proxy of it
     * @return its diagnostics
     */
    static Diagnostics of(Leasehold leasehold) {
        return Objects.requireNonNull(leasehold, "leasehold").unwrap(Diagnostics.class);
    }

    /**
     * Checks the servers for conditions that endanger locks: version, role, eviction policy, persistence, replicas,
     * cluster slots, Sentinels, the servers of a quorum, clocks, permissions, and the server features in use. Replicas
     * and Sentinels are checked over temporary connections, which only a client with a URI can open. A clock difference
     * is a finding only if it exceeds both the measurement error and the tolerance of leases. Acquires no lock except a
     * probe's.
     *
     * @return the findings, the most serious first; if one of several servers does not answer, that is a finding, too
     * @throws LockUnavailableException if Redis did not answer within the command timeout
     */
    List<Finding> findings();

    /**
     * Returns what the last {@link #findings} of this client found, or the check at connect, if that was less than 10 minutes ago. Nothing
     * is sent.
     *
     * @return the findings, the most serious first; empty if they are older
     */
    List<Finding> lastFindings();

    /**
     * Returns why this client can acquire no lock, although Redis answers: for 10 s or more, Redis has refused every acquisition
     * of this client, for memory, for a right, for replicas, or with an unknown error. Nothing is sent, so it is only known of a
     * client that tries. After 1 min without a try that failed, and as soon as Redis has granted a lock, it is empty.
     *
     * @return the reason and the remedy; empty if Redis grants locks, or if it is not known
     */
    Optional<Finding> refusal();

    /**
     * Returns who waits for whom: reads all locks as {@link Inspector#locks()} does, and asks the processes of the holders and of the waiters for
     * their threads, by messages as wake-ups are. A process has at most 400 ms to answer. Of a process that holds nothing, only callers that
     * have a position in a queue are found, so none that only polls.
     *
     * @return the waits
     * @throws LockUnavailableException if Redis did not answer within the command timeout
     * @throws IllegalStateException if the client is closed
     * @throws UnsupportedOperationException from a quorum, whose servers keep no queue
     */
    WaitGraph waitGraph();

    /**
     * Returns the deadlocks of the {@linkplain #waitGraph() wait graph} that exist now.
     *
     * @return the deadlocks, those that are certain first
     * @throws LockUnavailableException if Redis did not answer within the command timeout
     * @throws IllegalStateException if the client is closed
     * @throws UnsupportedOperationException from a quorum, whose servers keep no queue
     */
    default List<Deadlock> deadlocks() {
        return waitGraph().deadlocks();
    }
}
