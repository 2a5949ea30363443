package dev.leasehold.quorum;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.inspect.Inspector;
import dev.leasehold.inspect.ReleasedLease;
import java.util.List;

/**
 * A client for locks that several independent servers keep (Redlock). A lock is held while a majority of the servers
 * keeps it, so the loss of a minority of servers and their data costs no lease.
 *
 * <pre>{@code
 * try (QuorumLeasehold quorum = QuorumLeasehold.connect("redis://a:6379", "redis://b:6379", "redis://c:6379")) {
 *     try (Lease lease = quorum.lock("lottery:2026-11-21").acquire(Duration.ofSeconds(5))) {
 *         draw(lease.fencingToken());
 *     }
 * }
 * }</pre>
 *
 * <p>Each server is a standalone primary: no replica, no cluster node, and none listed twice. A server that has
 * restarted or lost its keys does not count until the longest lease of the quorum has passed
 * ({@link QuorumBuilder#maxLeaseTime}, by default 1 min). The same holds for all servers when the quorum is used
 * for the first time. A quorum does not tolerate jumping server clocks; check the {@linkplain Lease#fencingToken()
 * fencing token} at the resource.
 *
 * <p>Other kinds of locks need one server to know the order or the number of all callers: {@link Leasehold} has them.
 *
 * <p>Instances are safe for use by any number of threads.
 */
public interface QuorumLeasehold extends AutoCloseable {

    /**
     * Connects to the servers with every option at its default.
     *
     * @param uris 3 to 15 URIs, preferably an odd number, each as for {@link Leasehold#connect}
     * @return a client that owns its connections; close it when the application ends
     * @throws IllegalArgumentException if {@link Leasehold#connect} would reject a URI, if there are too few or too many, if
     *     two name the same server, or if one is a replica or a cluster node
     * @throws IllegalStateException if the class path has no transport adapter for the scheme
     * @throws LockUnavailableException if fewer than a majority of the servers answer within the connect timeout. The
     *     client retries unreachable servers every second
     */
    static QuorumLeasehold connect(String... uris) {
        return builder(uris).build();
    }

    /**
     * Returns a builder for a client with other options.
     *
     * @param uris as for {@link #connect}
     * @return a new builder with every option at its default
     */
    static QuorumBuilder builder(String... uris) {
        return new QuorumBuilder(Leasehold.builder().quorum(uris));
    }

    /**
     * Returns the lock of this name. Nothing is sent; two objects with the same name are the same lock. A waiter polls
     * at random intervals within a growing window, whatever its wait strategy. {@link DistributedLock#ownedBy named
     * owners}, requests to release, exports, minimum holds and retained holds throw {@link UnsupportedOperationException}
     * or {@link IllegalArgumentException}.
     *
     * @param name as for {@link Leasehold#lock(String)}
     * @return a view of the lock, with the client's default options
     * @throws IllegalArgumentException if the name breaks the rule
     * @throws IllegalStateException if this client is closed
     */
    DistributedLock lock(String name);

    /**
     * Returns the inspector, which reads locks and servers, for people and tools. A lock is held that a majority has.
     *
     * @return an inspector over this client's connections
     * @throws IllegalStateException if this client is closed
     */
    Inspector inspector();

    /**
     * Takes every lease that this client holds away from its holder, as {@link Leasehold#releaseAll()} does.
     *
     * @return the leases, with whether a majority confirmed each
     * @throws IllegalStateException if this client is closed
     */
    List<ReleasedLease> releaseAll();

    /**
     * Returns this client for frameworks and tools that take a {@link Leasehold}. What a majority cannot decide throws
     * {@link UnsupportedOperationException} there: fair and read-write locks, semaphores, several locks at once, formats of
     * others, exported leases, latches and elections. {@link Leasehold#unwrap} leads back. A framework whose property names
     * the servers creates such a client by {@link LeaseholdBuilder#quorum}.
     *
     * @return the same client; closing either closes both
     */
    Leasehold asLeasehold();

    /** Closes the client, as {@link Leasehold#close()} does. Idempotent. */
    @Override
    void close();
}
