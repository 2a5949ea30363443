package dev.leasehold.inspect;

import dev.leasehold.LockFormat;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Lists held locks, for people and tools, and tells of a client's connections and leases. {@link
 * dev.leasehold.DistributedLock#inspect()} shows the holder of one lock. The methods that list locks, and {@link #ping}, send requests to
 * Redis; their results may be outdated on arrival. Safe for use by several threads.
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
     * Returns the locks of a format that are held now and whose names match a pattern, ordered by name. Iterates over the key space by SCAN,
     * as {@link #locks()} does, and reads each key that may be such a lock; what turns out to be something else is left out. In
     * {@link dev.leasehold.interop.Formats#plain()} every string is a lock, whoever wrote it: use a narrow pattern.
     *
     * @param pattern the names, in which {@code *} stands for any text
     * @param format the format of the locks
     * @return the held locks
     * @throws IllegalArgumentException if the pattern breaks the rule for names
     * @throws UnsupportedOperationException from a quorum, for another format than {@link LockFormat#leasehold()}
     * @throws dev.leasehold.LockUnavailableException if Redis did not answer within the command timeout, or refused to list the keys
     */
    List<LockInfo> locks(String pattern, LockFormat format);

    /**
     * Returns how many connections this client has, and has had since it started. Nothing is sent.
     *
     * @return one for each purpose; with zeros before Redis was reached, and over a transport of the application that does not count
     */
    List<ConnectionInfo> connections();

    /**
     * Returns for how long the lease is still valid that has the least left, of those that this client renews. It looks at all of
     * them, and sends nothing.
     *
     * @return the time, zero or more; empty if the client renews no lease
     */
    Optional<Duration> leastValidity();

    /**
     * Asks Redis for its time, and nothing else: for health checks, which may be frequent. In a cluster one node answers for all, in a
     * quorum a majority.
     *
     * @throws dev.leasehold.LockUnavailableException if Redis refused, or did not answer within the command timeout
     */
    void ping();
}
