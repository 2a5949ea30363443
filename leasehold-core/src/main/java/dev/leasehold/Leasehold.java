package dev.leasehold;

import dev.leasehold.inspect.Inspector;
import java.util.Collection;
import java.util.concurrent.CompletionStage;

/**
 * A client for locks in Redis or Valkey. One per process and Redis is enough: it keeps its connections, one timer and
 * the renewal of every lease it gave out.
 *
 * <p>A lock in Redis is never owned for good: it is held on a <em>lease</em>, which the client renews while it is
 * held, and which tells its holder when it is lost.
 *
 * <pre>{@code
 * try (Leasehold leasehold = Leasehold.connect("redis://localhost:6379")) {
 *     try (Lease lease = leasehold.lock("lottery:2026-11-21").acquire(Duration.ofSeconds(5))) {
 *         draw(lease.fencingToken());
 *     }
 * }
 * }</pre>
 *
 * <p>Instances are safe for use by any number of threads, virtual ones included.
 */
public interface Leasehold extends AutoCloseable {

    /**
     * Connects to a Redis server with every option at its default.
     *
     * @param uri {@code redis://[[user]:password@]host[:port][/database]}, or {@code rediss://} for TLS with
     *     verification of the certificate and host name, or
     *     {@code redis-sentinel://[[user]:password@]host[:port][,host[:port]...][/database]?sentinelMasterId=name} for the
     *     primary that these sentinels name, where user and password are those of the primary; those of the sentinels, if
     *     they have any, are {@code &sentinelUser=...&sentinelPassword=...}, and {@code rediss-sentinel://} speaks TLS to
     *     all of them; or {@code redis-socket://[[user]:password@]/path[?database=number]} for a Unix socket, over Lettuce
     * @return a client that owns its connections; close it when the application ends
     * @throws IllegalArgumentException if the URI has another scheme or cannot be parsed; the message masks a password
     * @throws IllegalStateException if no transport adapter that knows the scheme is on the class path
     * @throws LockUnavailableException if the server does not answer within the connect time-out, or refuses the
     *     credentials
     */
    static Leasehold connect(String uri) {
        return builder().uri(uri).build();
    }

    /**
     * Connects to several independent servers, of which a majority decides (Redlock), with every option at its default. A lock
     * is held while a majority of the servers keeps it, so the loss of a minority, with all that it knew, costs no lease.
     *
     * <p>Each server is a primary that stands alone: no replica, no node of a cluster, none twice. One that has restarted or
     * lost its keys does not count until the longest lease of the quorum has passed ({@link LeaseholdBuilder#maxLeaseTime}, by
     * default 1 min): so it is with all servers when the quorum is used for the first time. Clocks of servers that jump are
     * not survived; check the {@linkplain Lease#fencingToken() fencing token} at the resource.
     *
     * <p>Offered is {@link #lock}, with all of {@link DistributedLock} but named owners, requests to release and exports. Who
     * waits tries again, at random within a growing window, whatever its wait strategy. What needs one server that knows the
     * order or the number of all is refused by {@link UnsupportedOperationException}: fair and read-write locks, semaphores,
     * latches, elections, several locks at once.
     *
     * @param uris 3 to 15, best an odd number, each as for {@link #connect}
     * @return a client that owns its connections; close it when the application ends
     * @throws IllegalArgumentException if a URI is refused as by {@link #connect}, if there are too few, or if two are of the
     *     same server, or one is a replica or a node of a cluster
     * @throws IllegalStateException if no transport adapter that knows the scheme is on the class path
     * @throws LockUnavailableException if fewer than a majority answer within the connect time-out. The others are tried
     *     again every second
     */
    static Leasehold quorum(String... uris) {
        return builder().quorum(uris).build();
    }

    /**
     * Starts a client with options of its own.
     *
     * @return a new builder with every option at its default
     */
    static LeaseholdBuilder builder() {
        return new LeaseholdBuilder();
    }

    /**
     * The lock of this name. Nothing is sent; two objects of one name are one lock.
     *
     * @param name 1 to 512 bytes of UTF-8, without NUL and without lone surrogates. Any other character may occur:
     *     braces and control characters are encoded, never trusted
     * @return a view of the lock, with the client's default options
     * @throws IllegalArgumentException if the name breaks the rule
     * @throws IllegalStateException if this client is closed
     */
    DistributedLock lock(String name);

    /**
     * The lock of this name, fairly: whoever waits is served strictly in the order in which Redis registered the waiters
     * of all processes. It costs more than {@link #lock}: each hand-over asks Redis, also within a process, and where the
     * first in the queue is slow all wait for it.
     *
     * <p>Nobody overtakes: {@code tryLock()} and {@code tryAcquire()} are refused while others wait, and even
     * {@link #lock} of the same name finds a free lock taken while somebody waits fairly. Use one of the two for a name:
     * there a waiter has one place for all of its process, and hands the lock on among them.
     *
     * <p>The first has a second to come when it is woken; then the next is the first. A waiter whose process has not
     * looked for 7 s goes to the end. If Redis does not answer, waiting ends as it does for {@link #lock}.
     *
     * @param name as for {@link #lock}
     * @return a view of the lock, with the client's default options
     * @throws IllegalArgumentException if the name breaks the rule, or if the wait strategy is to poll, here or in
     *     {@link DistributedLock#with}
     * @throws IllegalStateException if this client is closed
     */
    DistributedLock fairLock(String name);

    /**
     * The read-write lock of this name: many may hold it to read, or one to write. Its write side is {@link #lock} of the
     * same name.
     *
     * @param name as for {@link #lock}
     * @return a view of the lock, with the client's default options on both sides
     * @throws IllegalArgumentException if the name breaks the rule
     * @throws IllegalStateException if this client is closed
     */
    DistributedReadWriteLock readWriteLock(String name);

    /**
     * The semaphore of this name. Nothing is sent; two objects of one name are one semaphore.
     *
     * @param name as for {@link #lock}
     * @param permits how many there are, 1 to 1,000,000: the same number wherever the name is used
     * @return a view of the semaphore, with the client's default options, which takes one permit at a time
     * @throws IllegalArgumentException if the name or the number breaks the rule
     * @throws IllegalStateException if this client is closed
     */
    DistributedSemaphore semaphore(String name, int permits);

    /**
     * The plain lock under this key: a string that {@code SET} writes with {@code NX} and {@code PX}, and that only its
     * holder deletes. Programs in other languages that follow the same convention, as redis-py's {@code Lock} and
     * node-redlock with one server do, and this client exclude each other. Use {@link #lock} where all are written with
     * this library.
     *
     * <p>The key has room for its present holder and no more: so a lease of it has no {@link Lease#fencingToken()}, there
     * are no {@linkplain DistributedLock#ownedBy named owners}, and who waits polls, whatever its wait strategy: by its
     * interval and its number of tries. In all else its leases are as those of {@link #lock}: renewed while they are
     * held, told when they are lost, given back when Redis did not answer in time. If data is lost, or a primary fails
     * over before it has sent the key on, two may hold the lock at once, and nothing at the resource can tell them apart.
     *
     * @param key the key as it is in Redis, without a prefix and without any encoding: 1 to 512 bytes of UTF-8, without
     *     NUL and without lone surrogates
     * @return a view of the lock, with the client's default options
     * @throws IllegalArgumentException if the key breaks the rule
     * @throws IllegalStateException if this client is closed
     */
    DistributedLock plainLock(String key);

    /**
     * The locks of these names, to be taken together: all or none, without deadlocks between those who take them so, within
     * one limit of time, under one lease.
     *
     * <pre>{@code
     * try (MultiLease lease = leasehold.allOf("account:1", "account:2").acquire(Duration.ofSeconds(5))) {
     *     transfer(lease.fencingToken("account:1"), lease.fencingToken("account:2"));
     * }
     * }</pre>
     *
     * @param names one or more, each as for {@link #lock}, in any order; none twice
     * @return a view of the locks, with the client's default options
     * @throws IllegalArgumentException if there is no name, or one is null, breaks the rule or is there twice
     * @throws IllegalStateException if this client is closed
     */
    MultiLock allOf(String... names);

    /**
     * The same as {@link #allOf(String...)}, for names that are collected.
     *
     * @param names one or more, each as for {@link #lock}, in any order; none twice
     * @return a view of the locks, with the client's default options
     * @throws IllegalArgumentException if there is no name, or one is null, breaks the rule or is there twice
     * @throws IllegalStateException if this client is closed
     */
    MultiLock allOf(Collection<String> names);

    /**
     * Takes a lease over from the process that {@linkplain Lease#export() exported} it, with this client's default options.
     *
     * <pre>{@code
     * try (Lease lease = leasehold.resume(exported)) {
     *     goOn(lease.fencingToken());
     * }
     * }</pre>
     *
     * @param exported the string that {@link Lease#export()} returned; it works once
     * @return the lease, with a new id and a higher fencing token, of the same lock and named owner
     * @throws LeaseNotResumableException as {@link #resume(String, LockOptions)} says
     * @throws LockUnavailableException as {@link #resume(String, LockOptions)} says
     * @throws ForeignKeyException if something else lies under the lock's key
     * @throws IllegalArgumentException if the string is none of {@link Lease#export()}, or of another key prefix
     * @throws IllegalStateException if this client is closed
     */
    Lease resume(String exported);

    /**
     * Takes a lease over from the process that {@linkplain Lease#export() exported} it. The lock changes hands in one step: at no
     * moment is it free, and nobody who waits comes between. From then on the former lease is lost. Works whether or not the
     * former process still runs, as long as its hold has not ended.
     *
     * <p>Waits for one command time-out at the most. A lost answer is asked for again; if none comes, what may have been taken
     * over is given back in the background.
     *
     * @param exported the string that {@link Lease#export()} returned; it works once
     * @param options for the new lease: its time counts from now and is renewed as they say. The wait strategy is not used
     * @return the lease, with a new id and a higher fencing token, of the same lock and named owner
     * @throws LeaseNotResumableException if the lease was resumed already, was released, has ended or was taken away; or if its
     *     named owner has other live holds of the lock, which share its token. Nothing was changed
     * @throws LockUnavailableException if Redis did not answer within the command time-out, or refuses;
     *     {@link LockUnavailableException#mayBeTaken()} says whether the string may be used up
     * @throws ForeignKeyException if something else lies under the lock's key
     * @throws IllegalArgumentException if the string is none of {@link Lease#export()}, or of another key prefix, or if the lease
     *     time exceeds the client's maximum. The message does not contain the string
     * @throws IllegalStateException if this client is closed
     */
    Lease resume(String exported, LockOptions options);

    /**
     * {@link #resume(String)} without a waiting thread.
     *
     * @param exported the string that {@link Lease#export()} returned; it works once
     * @return a stage with the lease, or with the exception that {@code resume} would throw
     * @throws IllegalArgumentException at once, as {@link #resume(String)} says
     */
    CompletionStage<Lease> resumeAsync(String exported);

    /**
     * {@link #resume(String, LockOptions)} without a waiting thread. Cancelling the stage's future gives up; what was taken over by
     * then is given back.
     *
     * @param exported the string that {@link Lease#export()} returned; it works once
     * @param options for the new lease
     * @return a stage with the lease, or with the exception that {@code resume} would throw
     * @throws IllegalArgumentException at once, as {@link #resume(String, LockOptions)} says
     */
    CompletionStage<Lease> resumeAsync(String exported, LockOptions options);

    /**
     * The latch of this name. Nothing is sent; two objects of one name are one latch. A lock must have another name: each
     * refuses the key of the other.
     *
     * @param name as for {@link #lock}
     * @return a view of the latch, which somebody has to {@linkplain DistributedLatch#trySet set}
     * @throws IllegalArgumentException if the name breaks the rule
     * @throws IllegalStateException if this client is closed
     */
    DistributedLatch latch(String name);

    /**
     * The election of one leader among all who stand for it. Nothing is sent; who leads holds the fair lock of this name.
     *
     * @param name as for {@link #lock}
     * @return a view of the election, with the client's default options for the leader's lease
     * @throws IllegalArgumentException if the name breaks the rule, or if the client's wait strategy is to poll
     * @throws IllegalStateException if this client is closed
     */
    LeaderElection leaderElection(String name);

    /**
     * Reads locks and servers, for people and tools.
     *
     * @return an inspector over this client's connections
     */
    Inspector inspector();

    /**
     * Ends the client: tells its leaders that they are demoted, refuses new acquisitions, wakes local waiters with an
     * {@link IllegalStateException}, releases what is held and not {@linkplain Lease#export() exported}, then closes the connections it owns; what was lent stays open.
     * Waits at most one command time-out for all of that; a hold that could not be released ends with its lease.
     * Idempotent.
     */
    @Override
    void close();
}
