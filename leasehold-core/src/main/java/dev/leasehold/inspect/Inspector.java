package dev.leasehold.inspect;

import java.util.List;
import java.util.Optional;

/**
 * Reads locks, latches and servers, for people and tools. Every method asks Redis; what it returns is outdated when it arrives.
 * Safe for use by several threads.
 */
public interface Inspector {

    /**
     * The locks under this client's key prefix that are held now, ordered by name. Walks the key space by SCAN: meant
     * for people, not for hot paths.
     *
     * @return the held locks
     * @throws dev.leasehold.LockUnavailableException if Redis did not answer within the command time-out
     */
    List<LockInfo> locks();

    /**
     * One lock.
     *
     * @param name the lock
     * @return who holds it, or empty if nobody does
     * @throws dev.leasehold.LockUnavailableException if Redis did not answer within the command time-out
     */
    Optional<LockInfo> find(String name);

    /**
     * The latches under this client's key prefix that are there now, ordered by name. Walks the key space by SCAN, as
     * {@link #locks} does.
     *
     * @return the latches, those that are reached among them
     * @throws dev.leasehold.LockUnavailableException if Redis did not answer within the command time-out
     */
    List<LatchInfo> latches();

    /**
     * One latch.
     *
     * @param name the latch
     * @return what is left of it, or empty if there is none, whatever else has that name
     * @throws dev.leasehold.LockUnavailableException if Redis did not answer within the command time-out
     */
    Optional<LatchInfo> findLatch(String name);

    /**
     * Looks for what endangers locks: version, role, eviction policy, persistence, replicas, the slots of a cluster, sentinels,
     * the servers of a quorum, clocks, rights, and what of the servers is in use. Replicas and sentinels are looked at over
     * connections that end with the look, which only a client that was given a URI can open. A clock that differs is a
     * finding only if it differs by more than the measurement can err, and by more than leases allow for. Takes no lock
     * but a probe's.
     *
     * @return what was found, the serious first; a server that does not answer, of several, is a finding, too
     * @throws dev.leasehold.LockUnavailableException if Redis did not answer within the command time-out
     */
    List<Finding> diagnose();
}
