package dev.leasehold.inspect;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads locks, latches and servers, for people and tools. Every method but {@link #address} and {@link #lastFindings} sends
 * requests to Redis; its result may be outdated on arrival. Safe for use by several threads.
 */
public interface Inspector {

    /**
     * Returns the servers of the client as a page, a banner or a message may show them. Nothing is sent.
     *
     * @return their addresses as the connector has parsed them, without users, passwords and parameters; those of a quorum are
     *     separated by commas
     */
    String address();

    /**
     * Returns the locks under this client's key prefix that are held now, ordered by name. Iterates over the key space
     * by SCAN: meant for people, not for hot paths. In a quorum, those are held that a majority of the servers has.
     *
     * @return the held locks
     * @throws dev.leasehold.LockUnavailableException if Redis, or a majority of a quorum, did not answer within the command timeout
     */
    List<LockInfo> locks();

    /**
     * Returns the same locks, and leaves out those on servers that do not answer within the command timeout. In a quorum nothing is
     * left out, as long as a majority answers.
     *
     * @param unreachable called with the address of each such server, on the calling thread
     * @return the held locks of the other servers
     * @throws dev.leasehold.LockUnavailableException if Redis refused to list the locks, or if no server told which
     *     servers there are, or if no majority of a quorum answered
     */
    List<LockInfo> locks(Consumer<String> unreachable);

    /**
     * Returns the state of one lock.
     *
     * @param name the lock
     * @return its holder, or empty if it is free
     * @throws dev.leasehold.LockUnavailableException if Redis did not answer within the command timeout
     */
    Optional<LockInfo> find(String name);

    /**
     * Returns the latches that exist now under this client's key prefix, ordered by name. Iterates over the key space
     * by SCAN, as {@link #locks} does. A quorum has none.
     *
     * @return the latches, including those that are reached
     * @throws dev.leasehold.LockUnavailableException if Redis did not answer within the command timeout
     */
    List<LatchInfo> latches();

    /**
     * Returns the same latches, and leaves out those on servers that do not answer within the command timeout.
     *
     * @param unreachable called with the address of each such server, on the calling thread
     * @return the latches of the other servers
     * @throws dev.leasehold.LockUnavailableException if Redis refused to list the latches, or if no server told which
     *     servers there are
     */
    List<LatchInfo> latches(Consumer<String> unreachable);

    /**
     * Returns the state of one latch.
     *
     * @param name the latch
     * @return its state, or empty if no latch has this name
     * @throws dev.leasehold.LockUnavailableException if Redis did not answer within the command timeout
     */
    Optional<LatchInfo> findLatch(String name);

    /**
     * Returns who waits for whom: reads all locks as {@link #locks} does, and asks the processes of the holders and of the waiters for
     * their threads, by messages as wake-ups are. A process has at most 400 ms to answer. Of a process that holds nothing, only callers that
     * have a position in a queue are found, so none that only polls.
     *
     * @return the waits
     * @throws dev.leasehold.LockUnavailableException if Redis did not answer within the command timeout
     */
    WaitGraph waitGraph();

    /**
     * Returns the deadlocks of the {@linkplain #waitGraph() wait graph} that exist now.
     *
     * @return the deadlocks, those that are certain first
     * @throws dev.leasehold.LockUnavailableException if Redis did not answer within the command timeout
     */
    default List<Deadlock> deadlocks() {
        return waitGraph().deadlocks();
    }

    /**
     * Checks the servers for conditions that endanger locks: version, role, eviction policy, persistence, replicas,
     * cluster slots, Sentinels, the servers of a quorum, clocks, permissions, and the server features in use. Replicas
     * and Sentinels are checked over temporary connections, which only a client with a URI can open. A clock difference
     * is a finding only if it exceeds both the measurement error and the tolerance of leases. Acquires no lock except a
     * probe's.
     *
     * @return the findings, the most serious first; if one of several servers does not answer, that is a finding, too
     * @throws dev.leasehold.LockUnavailableException if Redis did not answer within the command timeout
     */
    List<Finding> diagnose();

    /**
     * Returns what the last {@link #diagnose} of this client found, or the check at connect, if that was less than 10 minutes ago. Nothing
     * is sent.
     *
     * @return the findings, the most serious first; empty if they are older
     */
    List<Finding> lastFindings();

    /**
     * Asks Redis for its time, and nothing else: for health checks, which may be frequent. In a cluster one node answers for all, in a
     * quorum a majority.
     *
     * @throws dev.leasehold.LockUnavailableException if Redis refused, or did not answer within the command timeout
     */
    void ping();
}
