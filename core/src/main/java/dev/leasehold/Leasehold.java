package dev.leasehold;

import dev.leasehold.inspect.Inspector;
import dev.leasehold.inspect.ReleasedLease;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A client for locks in Redis or Valkey. One client per process and Redis is enough: it keeps its connections, one
 * timer and the renewal of all its leases.
 *
 * <p>A lock in Redis is never owned indefinitely: it is held on a <em>lease</em>. The client renews the lease while it
 * is held, and notifies the holder if it is lost.
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
     *     verification of the certificate and host name. Of a cluster one node, or several separated by commas, as in
     *     {@code redis://host:port,host:port}, which are tried in this order, each within the connect timeout, until one will do. Or
     *     {@code redis-sentinel://[[user]:password@]host[:port][,host[:port]...][/database]?sentinelMasterId=name} for
     *     the primary that these Sentinels name. There, user and password are those of the primary; those of the
     *     Sentinels, if they have any, are {@code &sentinelUser=...&sentinelPassword=...}, and
     *     {@code rediss-sentinel://} uses TLS for all of them. Or
     *     {@code redis-socket://[[user]:password@]/path[?database=number]} for a Unix socket, over Lettuce
     * @return a client that owns its connections; close it when the application ends
     * @throws IllegalArgumentException if the URI has another scheme or cannot be parsed, or names several servers that are no cluster;
     *     the message masks a password
     * @throws IllegalStateException if the class path has no transport adapter for the scheme
     * @throws LockUnavailableException if the server does not answer within the connect timeout, or rejects the
     *     credentials
     */
    static Leasehold connect(String uri) {
        return builder().uri(uri).build();
    }

    /**
     * Returns a builder for a client with other options.
     *
     * @return a new builder with every option at its default
     */
    static LeaseholdBuilder builder() {
        return new LeaseholdBuilder();
    }

    /**
     * Returns the lock of this name. Nothing is sent; two objects with the same name are the same lock.
     *
     * @param name 1 to 512 bytes of UTF-8, without NUL and without lone surrogates. Any other character may occur:
     *     braces and control characters are encoded, never trusted
     * @return a view of the lock, with the client's default options
     * @throws IllegalArgumentException if the name breaks the rule
     * @throws IllegalStateException if this client is closed
     */
    DistributedLock lock(String name);

    /**
     * Returns the lock of this name in fair mode: waiters are served strictly in the order in which Redis registered
     * the waiters of all processes. It costs more than {@link #lock}: each hand-off needs a request to Redis, also
     * within a process, and a slow head of the queue delays all waiters.
     *
     * <p>There is no barging: {@code tryLock()} and {@code tryAcquire()} fail while other callers wait, and even
     * {@link #lock} of the same name is busy while a fair waiter exists. Use only one of the two modes for a name:
     * {@link #lock} has one queue position for all waiters of a process, and hands the lock off among them, for up to 20 ms also
     * to those that came after a fair waiter of another process. Both are the same lock: a thread that has it by the one view locks the
     * other again, as a nested hold.
     *
     * <p>The head of the queue has one second to respond to its wake-up; then the next waiter becomes the head. A
     * waiter whose process has sent no heartbeat for 7 s moves to the end. If Redis does not answer, waiting ends as it
     * does for {@link #lock}.
     *
     * @param name as for {@link #lock}
     * @return a view of the lock, with the client's default options
     * @throws IllegalArgumentException if the name breaks the rule, or if the wait strategy is to poll, here or in
     *     {@link DistributedLock#with}
     * @throws IllegalStateException if this client is closed
     */
    DistributedLock fairLock(String name);

    /**
     * Returns the read-write lock of this name, which many readers or one writer may hold. Its write side is
     * {@link #lock} of the same name.
     *
     * @param name as for {@link #lock}
     * @return a view of the lock, with the client's default options on both sides
     * @throws IllegalArgumentException if the name breaks the rule
     * @throws IllegalStateException if this client is closed
     */
    DistributedReadWriteLock readWriteLock(String name);

    /**
     * Returns the semaphore of this name. Nothing is sent; two objects with the same name are the same semaphore.
     *
     * @param name as for {@link #lock}
     * @param permits the number of permits, 1 to 1,000,000: the same number wherever the name is used
     * @return a view of the semaphore, with the client's default options, which takes one permit at a time
     * @throws IllegalArgumentException if the name or the number breaks the rule
     * @throws IllegalStateException if this client is closed
     */
    DistributedSemaphore semaphore(String name, int permits);

    /**
     * Returns the lock of this name in a format that other programs understand: callers of both exclude each other. If all programs use
     * this library, use {@link #lock(String)} instead.
     *
     * @param name as for {@link #lock(String)}; in a format of others, the key as it is in Redis or a part of it, without a prefix and
     *     without any encoding
     * @param format how the lock is stored; it says what it keeps
     * @return a view of the lock, with the client's default options
     * @throws IllegalArgumentException if the name breaks the rule
     * @throws UnsupportedOperationException if this client cannot keep the format: a client of several servers keeps {@link
     *     LockFormat#leasehold()} only
     * @throws IllegalStateException if this client is closed
     */
    DistributedLock lock(String name, LockFormat format);

    /**
     * Returns the locks of these names, to be acquired together: all or none, without deadlocks between such callers,
     * within one time limit, under one lease.
     *
     * <pre>{@code
     * try (MultiLease lease = leasehold.allOf("account:1", "account:2").acquire(Duration.ofSeconds(5))) {
     *     transfer(lease.fencingToken("account:1"), lease.fencingToken("account:2"));
     * }
     * }</pre>
     *
     * @param names one or more names, each as for {@link #lock}, in any order, without duplicates
     * @return a view of the locks, with the client's default options
     * @throws IllegalArgumentException if there is no name, or a name is null, breaks the rule or occurs twice
     * @throws IllegalStateException if this client is closed
     */
    MultiLock allOf(String... names);

    /**
     * Returns the locks of these names, as {@link #allOf(String...)} does.
     *
     * @param names one or more names, each as for {@link #lock}, in any order, without duplicates
     * @return a view of the locks, with the client's default options
     * @throws IllegalArgumentException if there is no name, or a name is null, breaks the rule or occurs twice
     * @throws IllegalStateException if this client is closed
     */
    MultiLock allOf(Collection<String> names);

    /**
     * Takes over a lease from the process that {@linkplain Lease#export() exported} it, with this client's default
     * options.
     *
     * <pre>{@code
     * try (Lease lease = leasehold.resume(exported)) {
     *     goOn(lease.fencingToken());
     * }
     * }</pre>
     *
     * @param exported the string that {@link Lease#export()} returned; it works once
     * @return the lease, with a new id and a higher fencing token, of the same lock and named owner
     * @throws LeaseNotResumableException as {@link #resume(String, LockOptions)} specifies
     * @throws LockUnavailableException as {@link #resume(String, LockOptions)} specifies
     * @throws ForeignKeyException if the lock's key holds something else
     * @throws IllegalArgumentException if the string does not come from {@link Lease#export()}, or has another key prefix
     * @throws UnsupportedOperationException as {@link #resume(String, LockOptions)} specifies
     * @throws IllegalStateException if this client is closed
     */
    Lease resume(String exported);

    /**
     * Takes over a lease from the process that {@linkplain Lease#export() exported} it. The transfer is atomic: the
     * lock is never free in between, and no waiter can acquire it. From then on the former lease is lost. Works whether
     * or not the former process still runs, as long as its hold has not ended.
     *
     * <p>Waits for at most one command timeout. After a lost answer the client repeats the request; if there is no
     * answer, it releases in the background the lease that it may have taken over.
     *
     * @param exported the string that {@link Lease#export()} returned; it works once
     * @param options the options of the new lease: its lease time counts from now, and they control its renewal. The
     *     wait strategy is not used
     * @return the lease, with a new id and a higher fencing token, of the same lock and named owner
     * @throws LeaseNotResumableException if the lease was already resumed or released, has ended or was taken away; or
     *     if its named owner has other live holds of the lock, which share its token. Nothing was changed
     * @throws LockUnavailableException if Redis did not answer within the command timeout, or refuses;
     *     {@link LockUnavailableException#mayBeTaken()} returns whether the string may be used up
     * @throws ForeignKeyException if the lock's key holds something else
     * @throws IllegalArgumentException if the string does not come from {@link Lease#export()}, or has another key
     *     prefix, or if the lease time exceeds the client's maximum, or if the lease has a named owner and the options a
     *     {@code minHold} or {@code retainFor}. The message does not contain the string
     * @throws UnsupportedOperationException from a quorum, or if this client keeps the lock in {@linkplain
     *     LeaseholdBuilder#lockFormat another format}. Nothing was changed
     * @throws IllegalStateException if this client is closed
     */
    Lease resume(String exported, LockOptions options);

    /**
     * The asynchronous form of {@link #resume(String)}.
     *
     * @param exported the string that {@link Lease#export()} returned; it works once
     * @return a stage with the lease, or with the exception that {@code resume} throws
     * @throws IllegalArgumentException immediately, as {@link #resume(String)} specifies
     * @throws UnsupportedOperationException immediately, as {@link #resume(String, LockOptions)} specifies
     */
    CompletionStage<Lease> resumeAsync(String exported);

    /**
     * The asynchronous form of {@link #resume(String, LockOptions)}. Cancelling the stage's future releases a lease
     * that was already taken over.
     *
     * @param exported the string that {@link Lease#export()} returned; it works once
     * @param options the options of the new lease
     * @return a stage with the lease, or with the exception that {@code resume} throws
     * @throws IllegalArgumentException immediately, as {@link #resume(String, LockOptions)} specifies
     */
    CompletionStage<Lease> resumeAsync(String exported, LockOptions options);

    /**
     * Returns the inspector, which reads locks and servers, for people and tools.
     *
     * @return an inspector over this client's connections
     */
    Inspector inspector();

    /**
     * Returns a part of this client by its type, as {@code unwrap} of JDBC does: what stands on top of locks, such as
     * {@link dev.leasehold.recipes.Latches}. A framework may put a proxy before a client, and passes this call on. Code that uses a part
     * calls its {@code of}, as in {@code Latches.of(leasehold)}. Nothing is sent.
     *
     * @param type {@link dev.leasehold.recipes.Latches}, {@link dev.leasehold.recipes.Elections}, {@link
     *     dev.leasehold.diagnostics.Diagnostics}, or of a quorum {@link dev.leasehold.quorum.QuorumLeasehold}
     * @param <T> the same
     * @return the part, the same one at each call
     * @throws IllegalArgumentException if the client has no part of this type; the message names those that it has
     */
    <T> T unwrap(Class<T> type);

    /**
     * Takes every lease that this client holds away from its holder. An emergency measure, for an instance that does not
     * release by itself: each holder is notified of a loss with the cause
     * {@link dev.leasehold.event.LossCause#DELETED} before its hold is released, and may continue to work; only a
     * resource that checks the fencing token refuses its writes. Exported leases are released, too, and holds of which a
     * {@code minHold} is not over. The client stays open: acquisitions that end later are not affected, so a waiter
     * or a candidate of this client may get a lock again.
     *
     * <p>Waits at most one command timeout. Callable by any thread.
     *
     * @return the leases, with whether Redis confirmed each; a release that is not confirmed is repeated in the background
     * @throws IllegalStateException if this client is closed
     */
    List<ReleasedLease> releaseAll();

    /**
     * Closes the client, in this order:
     *
     * <ul>
     *   <li>begins to demote its leaders and to notify their listeners,
     *   <li>refuses new acquisitions, and wakes local waiters with an {@link IllegalStateException},
     *   <li>releases all holds that are not {@linkplain Lease#export() exported}, except those of its leaders,
     *   <li>releases the hold of each leader when its {@link dev.leasehold.recipes.LeaderListener#onDemoted} has returned, for which it waits at most one
     *       command timeout,
     *   <li>waits until Redis has confirmed the releases, again for at most one command timeout,
     *   <li>closes the connections that it owns; a client that the application passed in stays open.
     * </ul>
     *
     * <p>Work that still runs under a lock has it no longer, and its release succeeds, because the lock was released: only {@link
     * Lease#isHeld} and {@link Lease#ensureHeld} tell. So end the work first, or use the fencing token. A hold that could not be released
     * ends with its lease. A listener may call this method: then it does not wait for that
     * listener, and the lock of a leader whose listener calls it is released before {@code onDemoted}. Idempotent.
     */
    @Override
    void close();
}
